import { activeContent } from './checks/active-content.ts';
import { attachmentCount } from './checks/attachment-count.ts';
import { attachmentSize } from './checks/attachment-size.ts';
import { attachmentType } from './checks/attachment-type.ts';
import { contrast } from './checks/contrast.ts';
import { darkMode } from './checks/dark-mode.ts';
import { htmlSize } from './checks/html-size.ts';
import { imageAlt } from './checks/image-alt.ts';
import { imageHttp } from './checks/image-http.ts';
import { linkBroken, linkRedirect, linkUnavailable } from './checks/link-answers.ts';
import { linkHttp } from './checks/link-http.ts';
import { linkTracking } from './checks/link-tracking.ts';
import { previewLength } from './checks/preview-length.ts';
import { previewMissing } from './checks/preview-missing.ts';
import { subjectLength } from './checks/subject-length.ts';
import { support } from './checks/support.ts';
import { textMissing } from './checks/text-missing.ts';
import { unsubscribeHeader } from './checks/unsubscribe-header.ts';
import { documentChecks } from './document-checks.ts';
import type { Severity } from './severity.ts';
import { supportCode } from './summary.ts';
import { textChecks } from './text-checks.ts';

/** Every check. Those of the two lists are also made at the doors. */
export const checks = [
  ...textChecks,
  ...documentChecks,
  ...[activeContent, attachmentCount, attachmentSize, attachmentType, contrast, darkMode],
  ...[htmlSize, imageAlt, imageHttp, linkBroken],
  ...[linkHttp, linkRedirect, linkTracking, linkUnavailable, previewLength, previewMissing],
  ...[subjectLength, support, textMissing, unsubscribeHeader],
];

/** A file or a row from which no email can be made; found before there is one to check. */
export const fileInvalid = 'file-invalid';

/** Every code, with its severity and meaning, but those of features that mail programs do not support. */
export const codes: Readonly<Record<string, readonly [severity: Severity, meaning: string]>> = {
  [fileInvalid]: ['error', 'a file or a row from which no email can be made'],
  ...Object.fromEntries(
    checks
      .filter(({ code }) => code !== supportCode)
      .map(({ code, severity, meaning }) => [code, [severity, meaning]]),
  ),
};
