import { once } from 'node:events';
import { createServer } from 'node:http';

/** A service that fails each request with an email to somebody whose name starts with `bad`, and accepts all others. */
export async function startFailingService(): Promise<{
  readonly url: string;
  close(): void;
}> {
  let emails = 0;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.method !== 'POST') {
      return answer(404, { error: { code: 'NOT_FOUND', message: 'Not found' } });
    }
    if (body.includes('"bad')) {
      return answer(500, { error: { code: 'INTERNAL_SERVER_ERROR', message: 'Not created' } });
    }
    const sent: unknown = JSON.parse(body);
    const accepted = () => ({ emailId: `em_${++emails}` });
    answer(200, Array.isArray(sent) ? { data: sent.map(accepted) } : accepted());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
