// In place of `node:assert`, which is loaded only to say what is wrong.
const load = () => require('node:assert');

function assert(value, ...message) {
  if (!value) load()(value, ...message);
}

module.exports = new Proxy(assert, { get: (_, name) => load()[name] });
