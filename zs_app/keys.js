() => {
  // j and k open the next and the previous answer of "Score a file", unless somebody types.
  const buttons = { j: "file-next", k: "file-previous" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in buttons)) return;
    if (event.target.closest("input, textarea, select, [contenteditable=true]")) return;
    const button = document.getElementById(buttons[event.key]);
    if (button && button.offsetParent) button.click();
  });
}
