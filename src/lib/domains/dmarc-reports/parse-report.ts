import { Parser } from 'htmlparser2';
import { DamagedError, type DmarcReport, OtherError } from './report.ts';
import {
  type Draft,
  emptyDraft,
  feedback,
  finishedReport,
  type ReportElement,
} from './report-elements.ts';

/** Levels of elements. Reports have six, and extensions may add some. */
const deepest = 32;
/** The longest text of one element that is kept. Names of domains have up to 253 characters. */
const longestText = 1000;
/** The most characters of a tag, a comment or the like, if they arrive in pieces. */
const longestSilence = 1024 * 1024;

/**
 * Reads one report as its text arrives: a parser that accepts what the schemas have, in any order and with anything else beside it. It keeps no tree, and knows
 * no entities but the five of XML. A DOCTYPE, which could define others, is an error.
 */
export function createReportParser() {
  const draft: Draft = emptyDraft();
  /** The open elements; undefined for those nobody asks for. */
  const open: (ReportElement | undefined)[] = [];
  /** The innermost of them. */
  let current: ReportElement | undefined;
  let text = '';
  let isClosed = false;
  /** Where the newest element started. */
  let start = -1;
  /** Characters since something was found: the parser keeps them. */
  let silence = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        silence = 0;
        const local = localName(name);
        if (open.length === 0) {
          if (isClosed) throw new DamagedError('has content after its end');
          // Some receivers begin with the start tag of the schema, and never close it.
          if (local === 'schema') return;
          if (local !== 'feedback') throw new OtherError();
          current = feedback;
        } else {
          current = current?.children?.get(local);
        }
        if (open.length === deepest) throw new DamagedError('has elements nested too deeply');
        open.push(current);
        current?.opened?.(draft);
        text = '';
        start = parser.startIndex;
      },
      ontext(piece) {
        silence = 0;
        if (current?.text !== undefined && text.length < longestText) text += piece;
      },
      onclosetag(_, isImplied) {
        if (open.length === 0) return;
        // `<a/>` counts as implied, too.
        if (isImplied && parser.startIndex !== start) {
          throw new DamagedError('ends early, or its elements are not closed in order');
        }
        current?.text?.(draft, text.slice(0, longestText).trim());
        current?.closed?.(draft);
        text = '';
        open.pop();
        current = open.at(-1);
        isClosed = open.length === 0;
      },
      onprocessinginstruction(name, data) {
        if (!/^!doctype$/i.test(name)) return;
        if (!/^!doctype\s+feedback\b/i.test(data)) throw new OtherError();
        throw new DamagedError('has a DOCTYPE, which is not allowed');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return {
    write(piece: string): void {
      silence += piece.length;
      parser.write(piece);
      if (silence > longestSilence) throw new DamagedError('has a tag or text that is too long');
    },
    /** Throws a `DamagedError`, or an `OtherError` if the text is no report. */
    end(): DmarcReport {
      parser.end();
      if (!isClosed) throw new OtherError();
      return finishedReport(draft);
    },
  };
}

/** The name without the prefix of its namespace. */
function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
