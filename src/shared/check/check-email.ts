import { codes, type Severity } from './codes.ts';
import { type HtmlRule, readDocument } from './document.ts';
import type { CheckedEmail, EmailFinding, Report } from './finding.ts';
import { positionsIn } from './positions.ts';
import { checkActiveContent, checkDarkMode, checkHtmlSize } from './rules/content.ts';
import { checkContrast } from './rules/contrast.ts';
import {
  checkAttachments,
  checkCharacters,
  checkHeaders,
  checkParts,
  checkSubject,
  checkUnsubscribe,
} from './rules/envelope.ts';
import { checkImages } from './rules/images.ts';
import { checkLinkResponses, checkLinks } from './rules/links.ts';
import { checkPlaceholders } from './rules/placeholders.ts';
import { checkSupport } from './rules/support.ts';
import { checkUnclosed } from './rules/unclosed.ts';

/** How many characters of HTML are checked. Servers reject longer emails. */
const longestHtml = 8 * 1024 * 1024;

const htmlRules: readonly HtmlRule[] = [
  checkSupport,
  checkImages,
  checkLinks,
  checkActiveContent,
  checkContrast,
  checkDarkMode,
  checkHtmlSize,
  checkUnclosed,
];

const emailRules = [
  checkPlaceholders,
  checkCharacters,
  checkSubject,
  checkParts,
  checkHeaders,
  checkUnsubscribe,
  checkAttachments,
  checkLinkResponses,
];

const order = ['file', 'subject', 'preview', 'headers', 'html', 'text', 'attachments'];

/** A finding with the place of the first occurrence as an offset in its part of the email. */
export interface FoundAt extends Omit<EmailFinding, 'line' | 'column'> {
  readonly at: number | undefined;
  /** Findings of other emails with the same key are about the same mistake. */
  readonly key: string;
}

/**
 * The findings about an email, in the order of its parts and lines. Findings of one kind are merged into one,
 * with the place of the first and a count. Uses no files and no network, and executes nothing of the email.
 */
export function checkEmail(email: CheckedEmail): readonly EmailFinding[] {
  const places = {
    html: positionsIn(email.html ?? ''),
    text: positionsIn(email.text ?? ''),
  };
  return findingsIn(email).map(({ at, key, code, severity, where, ...rest }) => {
    const place = where === 'html' || where === 'text' ? places[where] : undefined;
    const position = at === undefined ? undefined : place?.(at);
    return { code, severity, where, ...position, ...rest };
  });
}

/** The same, with offsets. */
export function findingsIn(email: CheckedEmail): readonly FoundAt[] {
  const findings = createFindings();
  for (const rule of emailRules) rule(email, findings.report);
  if (email.html) {
    const document = readDocument(email.html.slice(0, longestHtml));
    for (const rule of htmlRules) {
      rule(document, email, (found) => findings.report({ ...found, where: 'html' }));
    }
  }
  return findings.all();
}

/** Collects findings about an email. */
function createFindings(): { readonly report: Report; all(): readonly FoundAt[] } {
  const found = new Map<string, FoundAt>();
  const report: Report = ({
    code,
    where,
    message,
    at,
    count = 1,
    key = message,
    severity,
    share,
    url,
  }) => {
    const id = `${code} ${where} ${key}`;
    const before = found.get(id);
    if (before !== undefined) {
      const isEarlier = at !== undefined && before.at !== undefined && at < before.at;
      const first = isEarlier ? { ...before, message, at } : before;
      found.set(id, { ...first, count: before.count + count });
      return;
    }
    found.set(id, {
      code,
      severity: severity ?? severityOf(code),
      where,
      count,
      message,
      ...(share === undefined ? {} : { share }),
      url: url ?? `docs/check.md#${code}`,
      at,
      key: id,
    });
  };
  return {
    report,
    all: () =>
      [...found.values()].sort(
        (a, b) => order.indexOf(a.where) - order.indexOf(b.where) || (a.at ?? -1) - (b.at ?? -1),
      ),
  };
}

function severityOf(code: EmailFinding['code']): Severity {
  // A code with a slash names a feature; its finding has its own severity.
  return isOwn(code) ? codes[code][0] : 'info';
}

function isOwn(code: string): code is keyof typeof codes {
  return Object.hasOwn(codes, code);
}
