/** Why the sandbox's response to a request differs from both servers' responses. */
export interface Exception {
  /** The sandbox's status, and the kind of error if it rejects the request. */
  readonly answer: string;
  /** The differences, unless it is the status that differs. */
  readonly differs?: readonly string[];
  /** The row in `docs/sandbox.md` that documents it, by its first cell. */
  readonly row: string;
}

/** By the name of the recording. An entry that is no longer needed fails the test. */
export const exceptions: Readonly<Record<string, Exception>> = {
  '3 to []': { answer: '400 issues', row: 'an empty `to`' },
  '63 batch to []': { answer: '400 issues', row: 'an empty `to`' },
  '19 html true': { answer: '400 issues', row: '`html` that is not a string' },
  '20 html obj': { answer: '400 issues', row: '`html` that is not a string' },
  '28 att notbase64': {
    answer: '400 issues',
    row: '`content` of an attachment that is not base64',
  },
  '32 sched nosec': { answer: '400 issues', row: '`scheduledAt` without seconds' },
  '53 nul': { answer: '400 issues', row: 'a NUL character in a body or an id' },
  '72 list limit1.5': {
    answer: '400 issues',
    row: '`limit`, `page` or `domainId` that is not an integer',
  },
  '77 list dom float': {
    answer: '400 issues',
    row: '`limit`, `page` or `domainId` that is not an integer',
  },
  '1043 campaign page=1.5': {
    answer: '400 issues',
    row: '`limit`, `page` or `domainId` that is not an integer',
  },
  '1123 emails page=1.5': {
    answer: '400 issues',
    row: '`limit`, `page` or `domainId` that is not an integer',
  },
  '1106 series domain x': {
    answer: '400 issues',
    row: '`limit`, `page` or `domainId` that is not an integer',
  },
  '1115 rep series domain x': {
    answer: '400 issues',
    row: '`limit`, `page` or `domainId` that is not an integer',
  },
  '1016 contact nul': { answer: '400 issues', row: 'a NUL character in a body or an id' },
  '2033 email get nul': {
    answer: '400 issues',
    differs: ['error.issues: 2, not 1'],
    row: 'a NUL character in a body or an id',
  },
  '2003 email two addresses in one string': {
    answer: '400 issues',
    row: 'several addresses in one string, such as `a@example.org, b@example.org`',
  },
  '2009 email header without name': {
    answer: '400 issues',
    row: 'a line break in a subject, sender, address, header or file name; an invalid header name',
  },
  '1051 campaign replyTo bad': {
    answer: '400 issues',
    row: 'an invalid address in `to`, `cc`, `bcc` or `replyTo`, such as `notmail`',
  },
  '1063 template create no body': {
    answer: '400 issues',
    row: 'a template with neither `html` nor `content`',
  },
  '1064 template create empty html': {
    answer: '400 issues',
    row: 'a template with neither `html` nor `content`',
  },
  '192 lower bearer': {
    answer: '403 envelope',
    row: '`Authorization` with the key but a scheme other than Bearer, or `bearer`',
  },
  '1161 ui': { answer: '404 none', row: '`GET /v1/ui`' },
  '1010 contact empty email': { answer: '400 issues', row: 'a contact without an email address' },
  '1099 event bad email': { answer: '400 issues', row: 'a contact without an email address' },
  '145 ct add bademail': { answer: '400 issues', row: 'a contact without an email address' },
  '167 cb del again': {
    answer: '404 bare',
    row: 'deleting a domain or contact book that does not exist',
  },
  '168 dom get': {
    answer: '200',
    differs: ['subdomain: string, not null'],
    row: '`subdomain` of a domain that has none',
  },
  '180 dom del nope': {
    answer: '404 bare',
    row: 'deleting a domain or contact book that does not exist',
  },
  '2091 domain delete unknown': {
    answer: '404 bare',
    row: 'deleting a domain or contact book that does not exist',
  },
  '131 camp delete': {
    answer: '200',
    differs: ['lastCursor: string, not null', 'lastSentAt: string, not null'],
    row: 'a campaign that starts now',
  },
};
