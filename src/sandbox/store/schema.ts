/**
 * The version of the tables below. It is part of the file's name, so a program with other tables creates a
 * separate file and leaves this one alone.
 */
export const schemaVersion = 11;

/** Columns with lists and objects, which are stored as JSON, by the names that rows have. */
export const jsonColumns: ReadonlySet<string> = new Set([
  ...['recipients', 'cc', 'bcc', 'replyTo', 'headers', 'requestHeaders', 'replyHeaders'],
  ...['properties', 'variables', 'rules', 'events', 'data', 'emailIds', 'values'],
]);

/** Columns with booleans, which are stored as 0 or 1. */
export const booleanColumns: ReadonlySet<string> = new Set([
  ...['dmarcAdded', 'isVerifying', 'hasEverVerified', 'doubleOptInEnabled', 'subscribed'],
  ...['hasAttachments', 'hasText', 'hasHtml', 'isUnread', 'temporary', 'enabled'],
]);

/** Times are milliseconds since 1970. Tables follow those they refer to. */
export const schema = `
CREATE TABLE domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  region TEXT NOT NULL,
  status TEXT NOT NULL,
  public_key TEXT NOT NULL,
  dmarc_added INTEGER NOT NULL,
  is_verifying INTEGER NOT NULL,
  error_message TEXT,
  last_checked_at INTEGER,
  has_ever_verified INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE dns_records (
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (name, type)
) WITHOUT ROWID;

CREATE TABLE templates (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  subject TEXT NOT NULL,
  html TEXT,
  content TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE contact_books (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  emoji TEXT NOT NULL,
  properties TEXT NOT NULL,
  variables TEXT NOT NULL,
  double_opt_in_enabled INTEGER NOT NULL,
  double_opt_in_from TEXT,
  double_opt_in_subject TEXT,
  double_opt_in_content TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES contact_books (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  first_name TEXT,
  last_name TEXT,
  properties TEXT NOT NULL,
  subscribed INTEGER NOT NULL,
  unsubscribe_reason TEXT,
  double_opt_in_sent_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (book_id, email)
);
CREATE INDEX contacts_of_book ON contacts (book_id, id);
CREATE INDEX contacts_by_subscription ON contacts (book_id, subscribed, id);

CREATE TABLE segments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  contact_book_id TEXT REFERENCES contact_books (id) ON DELETE CASCADE,
  rules TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TABLE campaigns (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  search_text TEXT NOT NULL,
  preview_text TEXT,
  contact_book_id TEXT NOT NULL,
  domain_id INTEGER NOT NULL,
  html TEXT,
  content TEXT,
  reply_to TEXT NOT NULL,
  cc TEXT NOT NULL,
  bcc TEXT NOT NULL,
  status TEXT NOT NULL,
  scheduled_at INTEGER,
  batch_size INTEGER NOT NULL,
  batch_window_minutes INTEGER NOT NULL DEFAULT 0,
  last_cursor TEXT,
  last_sent_at INTEGER,
  total INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0,
  delivered INTEGER NOT NULL DEFAULT 0,
  opened INTEGER NOT NULL DEFAULT 0,
  clicked INTEGER NOT NULL DEFAULT 0,
  unsubscribed INTEGER NOT NULL DEFAULT 0,
  bounced INTEGER NOT NULL DEFAULT 0,
  hard_bounced INTEGER NOT NULL DEFAULT 0,
  complained INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX campaigns_by_age ON campaigns (created_at DESC, seq DESC);

CREATE TABLE emails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  sender TEXT NOT NULL,
  recipients TEXT NOT NULL,
  cc TEXT NOT NULL,
  bcc TEXT NOT NULL,
  reply_to TEXT NOT NULL,
  subject TEXT NOT NULL,
  latest_status TEXT NOT NULL,
  scheduled_at INTEGER,
  domain_id INTEGER NOT NULL,
  campaign_id TEXT,
  contact_id TEXT,
  in_reply_to_id TEXT,
  headers TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  has_attachments INTEGER NOT NULL,
  snippet TEXT NOT NULL,
  text TEXT,
  html TEXT
);
CREATE INDEX emails_by_age ON emails (created_at DESC, seq DESC);
CREATE INDEX emails_searched ON emails (seq, latest_status, created_at, has_attachments);
CREATE INDEX emails_by_domain ON emails (domain_id, created_at DESC, seq DESC);
CREATE UNIQUE INDEX emails_of_campaign ON emails (campaign_id, contact_id)
  WHERE campaign_id IS NOT NULL;
CREATE INDEX emails_of_campaign_by_status ON emails (campaign_id, latest_status, contact_id)
  WHERE campaign_id IS NOT NULL;

CREATE TABLE attachments (
  email_id TEXT NOT NULL REFERENCES emails (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  filename TEXT NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (email_id, position)
);

CREATE TABLE sources (
  email_id TEXT PRIMARY KEY REFERENCES emails (id) ON DELETE CASCADE,
  content BLOB NOT NULL
);

CREATE TABLE message_texts (
  seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  sender TEXT NOT NULL,
  recipients TEXT NOT NULL,
  subject TEXT NOT NULL,
  folded TEXT NOT NULL
);

CREATE TABLE unread (
  seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE
);

CREATE TABLE events (
  email_id TEXT NOT NULL,
  status TEXT NOT NULL,
  recipient TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  data TEXT,
  PRIMARY KEY (email_id, status, recipient)
) WITHOUT ROWID;

CREATE TABLE unsubscriptions (
  email_id TEXT PRIMARY KEY,
  contact_id TEXT NOT NULL,
  campaign_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX unsubscriptions_of_contact ON unsubscriptions (contact_id);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  email_id TEXT NOT NULL UNIQUE REFERENCES emails (id) ON DELETE CASCADE,
  due_at INTEGER NOT NULL,
  recipients TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX deliveries_by_due ON deliveries (due_at, seq);

CREATE TABLE suppressions (
  address TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE reputation_events (
  id TEXT PRIMARY KEY,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  bounce_rate REAL NOT NULL,
  sample_size INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  body_hash TEXT NOT NULL,
  claim TEXT NOT NULL,
  email_ids TEXT,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  milliseconds REAL NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  turned_away INTEGER NOT NULL,
  reason TEXT,
  request_headers TEXT NOT NULL,
  request_length INTEGER NOT NULL,
  reply_headers TEXT NOT NULL,
  reply_length INTEGER NOT NULL,
  request_body TEXT NOT NULL,
  reply_body TEXT NOT NULL
);
CREATE INDEX requests_by_turned_away ON requests (turned_away);

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  secret TEXT NOT NULL,
  events TEXT NOT NULL,
  temporary INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  enabled INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE webhook_calls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  delivered INTEGER NOT NULL DEFAULT 0,
  status INTEGER,
  response TEXT
);
CREATE TABLE webhook_attempts (
  call_id TEXT NOT NULL REFERENCES webhook_calls (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  at INTEGER NOT NULL,
  signed_at INTEGER NOT NULL,
  status INTEGER,
  response TEXT NOT NULL,
  PRIMARY KEY (call_id, attempt)
) WITHOUT ROWID;

CREATE INDEX webhook_calls_by_due ON webhook_calls (webhook_id, due_at, seq);

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX jobs_by_due ON jobs (due_at, id);
CREATE INDEX jobs_of_subject ON jobs (subject, kind);
`;
