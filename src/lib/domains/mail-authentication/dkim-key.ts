import { createPublicKey } from 'node:crypto';
import type { CodeAbout } from '../../../shared/check/domain-codes.ts';
import { parseTagList, tagValue } from './tag-list.ts';

/** A DKIM key as published (RFC 6376, 3.6.1; RFC 8301; RFC 8463). */
export type DkimKey = ReturnType<typeof parseDkimKey>;

/** `unusable`: receivers cannot verify email with it. `advice`: they can, but it should be changed. */
export interface DkimProblem {
  readonly code: CodeAbout<'dkim'>;
  readonly effect: 'unusable' | 'advice';
  /** Ends in a period. */
  readonly sentence: string;
}

/** What receivers must not accept, and what signers should have (RFC 8301, 3.2). */
const rsaBits = { least: 1024, good: 2048 } as const;

/** Reads the value of a TXT record below `_domainkey` as a key. */
export function parseDkimKey(text: string) {
  const list = parseTagList(text);
  const value = (name: string) => tagValue(list, name);
  const problems: DkimProblem[] = [];
  const tell: Tell = (code, sentence, effect = 'unusable') => {
    problems.push({ code, effect, sentence });
  };
  const words = (name: string) =>
    value(name)
      ?.split(':')
      .map((one) => one.trim().toLowerCase());
  /** In lower case. */
  const type = (value('k') ?? 'rsa').toLowerCase();
  const key = value('p')?.replace(/\s+/g, '');
  /** Undefined if all are allowed. */
  const hashes = words('h');
  /** `*` stands for all. */
  const services = words('s') ?? ['*'];
  /** Of an RSA key that can be read: the length of its modulus. 256 for Ed25519. */
  const bits = key === undefined || key === '' ? undefined : keyBits(type, key);

  if (key === undefined) tell('no-key', 'This is not a DKIM key: it has no p=.');
  if (/["\\]/.test(text)) {
    tell(
      'quotes',
      'Its value contains quotes or backslashes from the way it was entered; remove them.',
    );
  } else for (const error of list.errors) tell('syntax', error);
  if (list.repeated !== undefined) tell('syntax', `${list.repeated}= occurs twice.`);
  const version = list.tags.findIndex(({ name }) => name === 'v');
  if (version > 0) tell('version', 'v= is not its first tag.');
  if (version !== -1 && value('v') !== 'DKIM1') tell('version', 'Its version (v=) is not DKIM1.');
  if (key === '') tell('revoked', 'The key is empty, which means that it was revoked.');
  else if (key !== undefined) tellAboutMaterial(type, bits, tell);
  if (hashes !== undefined && !hashes.includes('sha256')) {
    tell(
      'hash',
      `It only allows h=${hashes.join(':')}, but receivers accept only sha256 (RFC 8301, 3.1).`,
    );
  }
  if (!services.includes('*') && !services.includes('email')) {
    tell('service', `It is for s=${services.join(':')}, not for email.`);
  }
  if (words('t')?.includes('y')) {
    tell(
      'testing',
      'It is in test mode (t=y), in which receivers may ignore its signatures.',
      'advice',
    );
  }
  return { type, bits, problems };
}

type Tell = (code: DkimProblem['code'], sentence: string, effect?: DkimProblem['effect']) => void;

/** What is wrong with the key itself. */
function tellAboutMaterial(type: string, bits: number | undefined, tell: Tell): void {
  const has = `The key has ${bits} bits;`;
  const rule = '(RFC 8301, 3.2)';
  if (type !== 'rsa' && type !== 'ed25519') {
    tell('type', `Receivers do not know the key type k=${type}.`);
  } else if (bits === undefined) {
    tell('unreadable', `Its p= cannot be read as a key of type ${type}.`);
  } else if (type === 'rsa' && bits < rsaBits.least) {
    tell('too-short', `${has} receivers accept no RSA key below ${rsaBits.least} ${rule}.`);
  } else if (type === 'rsa' && bits < rsaBits.good) {
    tell('short', `${has} ${rsaBits.good} are advised ${rule}.`, 'advice');
  }
}

/** The key at a name, or why there is none. */
export type DkimKeyAt =
  | { readonly state: 'found'; readonly key: DkimKey }
  | { readonly state: 'none' | 'several' }
  /** The strings of one key are in several records. */
  | { readonly state: 'split' };

/** Picks the key among the TXT records at a name; several ones leave it open which of them counts. */
export function dkimKeyAt(values: readonly string[]): DkimKeyAt {
  const [text] = values;
  if (text === undefined) return { state: 'none' };
  if (values.length === 1) return { state: 'found', key: parseDkimKey(text) };
  const keys = values.filter((one) => /(^|;)\s*p\s*=/.test(one));
  const rest = values.filter((one) => !keys.includes(one));
  return {
    state:
      keys.length === 1 && rest.every((one) => /^[\w+/=;\s-]+$/.test(one)) ? 'split' : 'several',
  };
}

/** The size of a key, if `p=` is one of the type. */
function keyBits(type: string, key: string): number | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key) || key.length % 4 !== 0) return undefined;
  const octets = Buffer.from(key, 'base64');
  if (type === 'ed25519') return octets.length === 32 ? 256 : undefined;
  if (type !== 'rsa') return undefined;
  // RFC 6376 names the key alone (pkcs1); what people publish has its type around it (spki).
  for (const kind of ['spki', 'pkcs1'] as const) {
    try {
      const read = createPublicKey({ key: octets, format: 'der', type: kind });
      if (read.asymmetricKeyType === 'rsa') return read.asymmetricKeyDetails?.modulusLength;
    } catch {
      // The other form, or no key.
    }
  }
  return undefined;
}
