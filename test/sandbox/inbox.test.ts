import { expect, test } from 'vitest';
import { startSandbox } from './harness.ts';

/** Gets a page of the inbox. */
async function get(path: string, { sandbox } = startSandbox()): Promise<Response> {
  return sandbox.fetch(new Request(`http://sandbox.test${path}`));
}

test.each([
  ['/', 'text/html; charset=UTF-8'],
  ['/assets/style.css', 'text/css; charset=utf-8'],
  ['/assets/messages.css', 'text/css; charset=utf-8'],
  ['/assets/records.css', 'text/css; charset=utf-8'],
  ['/assets/client.js', 'text/javascript; charset=utf-8'],
  ['/assets/icon.svg', 'image/svg+xml; charset=utf-8'],
])('%s is served, with a policy that lets nothing of others in', async (path, type) => {
  const reply = await get(path);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('Content-Type')).toBe(type);
  const policy = reply.headers.get('Content-Security-Policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(reply.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(reply.headers.get('Referrer-Policy')).toBe('no-referrer');
});
