import { describe, expect, test } from 'vitest';
import { readProxies } from '../../../../../src/lib/service/http/network/proxies.ts';

const HTTP_PROXY = 'http://proxy.test:3128';

function routeTo(url: string, env: Readonly<Record<string, string>>) {
  const route = readProxies({ HTTP_PROXY, ...env })(new URL(url));
  return route.kind === 'direct' ? route.reason : route.proxy.variable;
}

// As curl 7.86 and later, Go and Python's requests read it.
describe('a network in NO_PROXY', () => {
  test.each([
    ['192.0.2.0/24', 'http://192.0.2.10:8080/api'],
    ['10.0.0.0/8, 192.0.2.8/29', 'http://192.0.2.15'],
    ['192.0.2.10/32', 'http://192.0.2.10'],
    ['0.0.0.0/0', 'http://192.0.2.10'],
    ['2001:db8::/32', 'http://[2001:db8:1::5]/api'],
    ['[2001:db8::]/32', 'http://[2001:db8:1::5]/api'],
    ['[2001:db8::5]', 'http://[2001:db8::5]/api'],
    ['2001:DB8:0::5', 'http://[2001:db8::5]/api'],
  ])('%s covers %s', (NO_PROXY, url) => {
    expect(routeTo(url, { NO_PROXY })).toBe('exempt');
  });

  test.each([
    ['192.0.2.0/24', 'http://192.0.3.10'],
    ['192.0.2.8/29', 'http://192.0.2.16'],
    ['192.0.2.0/33', 'http://192.0.2.10'],
    ['192.0.2.0/', 'http://192.0.2.10'],
    ['192.0.2.0/24', 'http://mail.test'],
    ['2001:db8::/32', 'http://[2001:db9::5]'],
    ['2001:db8::/32', 'http://192.0.2.10'],
    ['mail.test/24', 'http://mail.test'],
  ])('%s does not cover %s', (NO_PROXY, url) => {
    expect(routeTo(url, { NO_PROXY })).toBe('HTTP_PROXY');
  });
});

describe('where REQUEST_METHOD is set, as in a CGI script', () => {
  const env = { REQUEST_METHOD: 'POST' };

  test('HTTP_PROXY is a header of whoever calls the script, and counts for nothing', () => {
    expect(routeTo('http://mail.test', env)).toBe('unset');
    expect(routeTo('https://mail.test', env)).toBe('unset');
  });

  test('other variables count', () => {
    const http_proxy = 'http://own.test:3128';
    expect(routeTo('http://mail.test', { ...env, http_proxy })).toBe('http_proxy');
    expect(routeTo('https://mail.test', { ...env, HTTPS_PROXY: http_proxy })).toBe('HTTPS_PROXY');
  });
});

describe('a proxy whose password has a character with a meaning', () => {
  test.each([
    ['http://user:pa#ss@proxy.test:3128', '# as %23'],
    // This one would be the host "us" at port 12.
    ['http://us:12#3@proxy.test:3128', '# as %23'],
    ['http://user:pa/ss@proxy.test:3128', '/ as %2F'],
    ['http://user:1?ss@proxy.test:3128', '? as %3F'],
    ['user:pa#s@proxy.test:3128', '# as %23'],
    ['http://user:pa%ss@proxy.test:3128', '% as %25'],
  ])('%s is an error that says how to write it, without the value', (value, how) => {
    const read = () => readProxies({ HTTPS_PROXY: value });
    expect(read).toThrow('HTTPS_PROXY is not the URL of a proxy.');
    const hint = `In its user name and password, write ${how}`;
    expect(read).toThrow(expect.objectContaining({ details: { hint } }));
  });

  test.each(['"http://proxy.test:3128"', "'http://proxy.test:3128'"])(
    'quotes that belong to a shell are named: %s',
    (value) => {
      const hint = 'Its value begins and ends with quotes: remove them';
      const read = () => readProxies({ HTTPS_PROXY: value });
      expect(read).toThrow(expect.objectContaining({ details: { hint } }));
    },
  );

  test('a path is none of a proxy, but harmless', () => {
    expect(routeTo('http://mail.test', { HTTP_PROXY: 'http://proxy.test:3128/' })).toBe(
      'HTTP_PROXY',
    );
  });
});
