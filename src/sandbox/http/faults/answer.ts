import { STATUS_CODES } from 'node:http';
import { codeOfStatus } from '../../store/errors.ts';
import type { Shape } from './fault.ts';

/** An error response like those of live servers and their proxies. */
export function errorAnswer(status: number, shape: Shape): Response {
  const message = status === 429 ? 'Rate limit exceeded. Try again in 1 second.' : reason(status);
  switch (shape) {
    case 'envelope':
      return Response.json({ error: { code: codeOfStatus(status), message } }, { status });
    case 'zod': {
      const issues = [{ code: 'custom', path: ['fault'], message }];
      return Response.json({ success: false, error: { issues, name: 'ZodError' } }, { status });
    }
    case 'bare':
      return Response.json({ error: message }, { status });
    case 'text':
      return new Response(`${status} ${message}`, {
        status,
        headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
      });
    case 'html':
      return new Response(proxyPage(`${status} ${message}`), {
        status,
        headers: { 'Content-Type': 'text/html' },
      });
  }
}

function reason(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

/** An error page in the form of nginx. */
function proxyPage(title: string): string {
  return `<html>
<head><title>${title}</title></head>
<body>
<center><h1>${title}</h1></center>
<hr><center>nginx</center>
</body>
</html>
`;
}
