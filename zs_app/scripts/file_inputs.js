// "Score a file": the files and settings that are chosen now. They last as long as the browser's tab.
(() => {
  "use strict";
  const zs = window.zs;
  const { find } = zs;
  const CONTROLS = ["predictions", "references", "second", "source", "partial"];
  const START = { predictions: [], references: [], second: [], source: "files", partial: false, sample: false };
  const chosen = { ...START, ...JSON.parse(zs.stored("chosen") || "{}") };
  const handled = {}; // by control: the paths that Gradio gave last

  const asList = (files) => [files ?? []].flat();
  const paths = (files) => files.map((file) => file.path);
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const names = (files) => files.map((file) => file.orig_name ?? file.path.split("/").pop());

  // What a report would be of; the sample stands in the place of files.
  function inputs(benchmark = zs.place().benchmark) {
    const { predictions, references, source, partial, sample } = chosen;
    if (sample) return JSON.stringify(["sample", benchmark]);
    const known = source === "files" ? paths(references) : null;
    return JSON.stringify([paths(predictions), known, source, partial, benchmark]);
  }

  function change(changes) {
    Object.assign(chosen, changes);
    zs.store("chosen", same(chosen, START) ? "" : JSON.stringify(chosen));
    zs.file.refreshSoon();
  }

  // Files replace those of before, to which Gradio adds them; one's own replace the sample too.
  function take(name, files) {
    const before = paths(chosen[name]);
    const now = paths(files);
    if (same(now, handled[name])) return;
    handled[name] = now;
    const isAdded = before.length > 0 && now.length > before.length && same(before, now.slice(0, before.length));
    const isOwn = name !== "second" && now.length > 0 && !same(before, now);
    change({ [name]: isAdded ? files.slice(before.length) : files, ...(isOwn && { sample: false }) });
  }

  function chose(name, value) {
    const files = asList(value);
    take(name, files);
    const kept = chosen[name];
    if (name !== "references") nameSystem(name === "second" ? "second" : "first", names(kept));
    return [kept.length < files.length ? kept : zs.KEEP]; // one output, whose value is a list
  }

  // A system is called after its file, until the visitor gives it a name.
  function nameSystem(which, files) {
    const box = find(`#compare-names [name=${which}]`);
    const name = files.length === 1 ? files[0].replace(/\.[^.]+$/, "") : files.length ? `${files.length} files` : "";
    if (!box || (box.value && box.value !== box.dataset.given)) return;
    box.value = box.dataset.given = name;
  }

  // What a job gets: the files are those chosen, even if Gradio has not yet replaced those of before.
  function given(predictions, references, second, source, partial) {
    Object.entries({ predictions, references, second }).forEach(([name, value]) => take(name, asList(value)));
    change({ source, partial });
    return CONTROLS.map((name) => chosen[name]);
  }

  zs.file = {
    chosen, chose, inputs, given,
    set: (name, value) => change({ [name]: value }),
    names: () => names(chosen.predictions),
    systems: () => ["first", "second"].map((name) => find(`#compare-names [name=${name}]`)?.value.trim() ?? ""),
    isUploading: () => Boolean(find(":is(#file-inputs, #file-second) .uploading")),
    // The values of the controls after the page was loaded again.
    controls: () => CONTROLS.map((name) => (same(chosen[name], START[name]) ? zs.KEEP : chosen[name])),
  };
})();
