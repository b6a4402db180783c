import {
  type AccountName,
  type ApiAccount,
  accountOf,
  testAccountOf,
} from '../model/api-account.ts';
import { ApiError } from '../store/errors.ts';

/** The account whose key an `Authorization` header has. Throws `ApiError` without a known key. */
export function authenticate(header: string | undefined): ApiAccount {
  const { scheme, key } = credentials(header);
  if (key === undefined) throw new ApiError('UNAUTHORIZED', 'No Authorization header provided');
  const account = scheme === 'Bearer' ? accountOf(key) : undefined;
  if (account === undefined) throw new ApiError('FORBIDDEN', 'Invalid API token');
  return account;
}

/** The test account whose key an `Authorization` header has, if it has one. */
export function testAccountIn(header: string | null): AccountName {
  const { scheme, key = '' } = credentials(header ?? undefined);
  return scheme === 'Bearer' ? testAccountOf(key) : undefined;
}

function credentials(header: string | undefined) {
  const [scheme, key] = header?.split(/\s+/) ?? [];
  return { scheme, key: key === '' ? undefined : key };
}
