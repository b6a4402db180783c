import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { limits } from '../../../../api/limits.ts';
import { ownDirectory, readOwn } from '../../../base/files/own-files.ts';
import { syncDirectory } from '../../../base/files/sync-directory.ts';
import type { KeyedRequest } from '../../../service/http/doubt.ts';

/** A request as its record names it. */
type NamedRequest = Pick<KeyedRequest, 'idempotencyKey' | 'baseUrl' | 'apiKey'>;

/** A request that began, and whose outcome is not known. */
export interface BegunRecord {
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly begun: number;
  /** Of its content; undefined if the record is incomplete, because it was written in a power cut. */
  readonly content?: string | undefined;
  /** What its emails can be told apart by. */
  readonly signatures: readonly string[];
}

export type BegunRecords = ReturnType<typeof beginRecords>;

/** Milliseconds until the service forgets a key, and a request with it is a new one. */
const lifetime = limits.idempotencyRecordHours * 3_600_000;
/** If there are more, the oldest are removed. */
const mostRecords = 10_000;

/**
 * Records of requests that began, a file for each in `directory`. A file's name tells when it began, and identifies
 * the key and the account. Throws the errors of the file system, or one if others control the directory.
 */
export function beginRecords(directory: string, user: number | undefined, now: () => number) {
  /** The files of all records; none if there is no directory, or others control it. */
  const all = (): FileName[] => {
    const place = ownDirectory(directory, user);
    const names = place === undefined ? [] : readdirSync(place);
    const files = names.flatMap((name) => readName(join(place ?? '', name)));
    const current = files
      .filter(({ begun }) => Math.abs(now() - begun) < lifetime)
      .sort((one, other) => one.begun - other.begun);
    const kept = new Set(current.slice(-mostRecords));
    for (const one of files) if (!kept.has(one)) rmSync(one.path, { force: true });
    return [...kept];
  };
  const read = ({ path, begun }: FileName): BegunRecord => {
    return { begun, ...parsed(readOwn(path, user)) };
  };
  return {
    /** The record of a request with the same key that is not certainly of another account. */
    find(request: NamedRequest): BegunRecord | undefined {
      const found = all().find((one) => isOf(one, request));
      return found && read(found);
    },
    /** The records of all other requests. */
    others: (request: NamedRequest): BegunRecord[] =>
      all()
        .filter((one) => !isOf(one, request))
        .map(read),
    /** Writes the record of a request, in place of earlier ones. It is on disk when this returns. */
    write(request: NamedRequest, record: BegunRecord): void {
      const place = ownDirectory(directory, user, { make: true });
      if (place === undefined) throw new Error('other users can change its directory');
      const path = join(place, nameOf(request, record.begun));
      const file = openSync(path, 'w', 0o600);
      try {
        writeSync(file, JSON.stringify(record));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      for (const one of all()) {
        if (isOf(one, request) && one.path !== path) rmSync(one.path, { force: true });
      }
      syncDirectory(place);
    },
    remove(request: NamedRequest): void {
      for (const one of all()) if (isOf(one, request)) rmSync(one.path, { force: true });
    },
  };
}

interface FileName {
  readonly path: string;
  readonly begun: number;
  readonly key: string;
  readonly url: string;
  readonly account: string;
}

function nameOf({ idempotencyKey, baseUrl, apiKey }: NamedRequest, begun: number): string {
  // The key is in each digest, so that records do not reveal which others are of the same account.
  const url = digest(idempotencyKey, baseUrl);
  const account = digest(idempotencyKey, apiKey ?? '');
  return [begun, digest(idempotencyKey), url, account].join('-');
}

function readName(path: string): FileName[] {
  const [, begun, key = '', url = '', account = ''] =
    /^(\d+)-([0-9a-f]+)-([0-9a-f]+)-([0-9a-f]+)$/.exec(basename(path)) ?? [];
  return begun === undefined ? [] : [{ path, begun: Number(begun), key, url, account }];
}

/** Another account has another URL and another key: an account may have several of both. */
function isOf({ key, url, account }: FileName, request: NamedRequest): boolean {
  const [wanted] = readName(nameOf(request, 0));
  return key === wanted?.key && (url === wanted.url || account === wanted.account);
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** An incomplete record says only that there was one. */
function parsed(bytes: Buffer | undefined): Omit<BegunRecord, 'begun'> {
  try {
    const { content, signatures } = JSON.parse(bytes?.toString('utf8') ?? '');
    if (typeof content === 'string' && Array.isArray(signatures)) return { content, signatures };
  } catch {
    // Nothing else can be known.
  }
  return { signatures: [] };
}
