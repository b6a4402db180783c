// In place of `node:http`, of which undici takes the size of headers that Node is given, and a class
// of streams that it is never given here.
const { execArgv, env } = process;
const isGiven = /--max[-_]http[-_]header[-_]size/.test([...execArgv, env.NODE_OPTIONS].join(' '));

module.exports = {
  // https://nodejs.org/api/cli.html#--max-http-header-sizesize
  maxHeaderSize: isGiven ? require('node:http').maxHeaderSize : 16 * 1024,
  IncomingMessage: class {},
};
