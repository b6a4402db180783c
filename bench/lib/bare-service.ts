// The least that a service with the same requests does: hono, and SQLite, one row for an email. Prints its URL.
import { DatabaseSync } from 'node:sqlite';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [path = ':memory:'] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE emails (id INTEGER PRIMARY KEY, sender TEXT, recipient TEXT, subject TEXT, html TEXT)`);
const insert = database.prepare(
  'INSERT INTO emails (sender, recipient, subject, html) VALUES (?, ?, ?, ?)',
);
const page = database.prepare('SELECT * FROM emails ORDER BY id DESC LIMIT 50');

interface Email {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
}

function store({ from, to, subject, html }: Email): { emailId: string } {
  return { emailId: String(insert.run(from, to, subject, html).lastInsertRowid) };
}

const app = new Hono();
app.post('/api/v1/emails', async (context) => context.json(store(await context.req.json())));
app.post('/api/v1/emails/batch', async (context) => {
  const emails = await context.req.json<Email[]>();
  database.exec('BEGIN');
  const data = emails.map(store);
  database.exec('COMMIT');
  return context.json({ data });
});
app.get('/api/v1/emails', (context) => context.json({ data: page.all(), count: 0 }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
