// Loaded before a client: any connection or look-up that would leave this machine ends the process.
const dns = require("node:dns");
const net = require("node:net");

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

function check(host) {
  if (!LOOPBACK.has(host)) {
    console.error(`left the machine: ${host}`);
    process.exit(70);
  }
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  if (typeof options === "object" && !options.path) check(options.host ?? "localhost");
  if (typeof options === "number") check(typeof given[1] === "string" ? given[1] : "localhost");
  return connect.apply(this, given);
};

for (const asked of [dns, dns.promises]) {
  const lookup = asked.lookup;
  asked.lookup = (host, ...rest) => {
    check(host);
    return lookup(host, ...rest);
  };
}
