import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

async function opened(email: Record<string, unknown>) {
  const body = { id: 'em_1', from: 'a@b.c', to: ['d@e.f'], emailEvents: [], ...email };
  const { baseUrl } = await startRecorder({ body });
  const world = createWorld({ MAILER_BASE_URL: baseUrl, MAILER_API_KEY: 'us_key_of_the_test' });
  const outcome = await world.run('email get em_1 --open');
  const read = (name: string) => readFileSync(join(world.home, name), 'utf8');
  return { ...outcome, page: read('page.html'), images: () => read('with-images.html') };
}

test('--open puts the HTML into a sandboxed frame', async () => {
  const { exitCode, stdout, stderr, page } = await opened({
    subject: '</title><script>1</script>',
    html: '<p onclick="x()">Hi</p><script src="https://evil.example/x.js"></script></iframe>',
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('em_1');
  expect(stderr).toMatch(/^Opened .*page.html$/m);
  expect(page).toContain(
    '<iframe sandbox="" srcdoc="&lt;p onclick=&quot;x()&quot;&gt;Hi&lt;/p&gt;&lt;script src=&quot;https://evil.example/x.js&quot;&gt;&lt;/script&gt;&lt;/iframe&gt;"></iframe>',
  );
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain('<script');
});

test('--open of an email without HTML shows its text', async () => {
  const { page } = await opened({ subject: 'Hi', html: null, text: 'a < b\n& c' });
  expect(page).toContain('<pre>a &lt; b\n&amp; c</pre>');
});

test('remote images are loaded after a click: by another page, which loads nothing else', async () => {
  const image = '<img src="https://pixel.example/a.png">';
  const { page, images } = await opened({ subject: 'Hi', html: image });
  expect(page).toContain('img-src data:;');
  expect(page).toContain('<a href="with-images.html">Load them</a>');
  expect(images()).toContain('img-src data: https: http:;');
  expect(images()).toContain("default-src 'none'");
  expect(images()).not.toContain('Load them');
});

test('without remote images, there is nothing to load', async () => {
  const { page, images } = await opened({ html: '<a href="https://example.com">x</a>' });
  expect(page).not.toContain('with-images');
  expect(images).toThrow('ENOENT');
});
