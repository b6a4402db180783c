import { readHtml } from '../../../shared/check/read-html.ts';
import { withMarkedLines } from './line-marks.ts';
import type { BodySource } from './source.ts';

/** A place in a source: an offset in the body or in its layout. */
export interface Mark {
  readonly part: 'body' | 'layout';
  readonly at: number;
}

/** The attribute and the class that say where an element is written. */
const attribute = 'data-zqsource';
const inClass = /(?:^|\s)zqsource-(\d+)(?=\s|$)/;

/**
 * A body whose HTML tells where each element is written: by an attribute, by a class in MJML, and by comments in
 * Markdown. What is made of it looks the same otherwise, also if it is a template that is rendered first.
 */
export function withMarks(source: BodySource): BodySource {
  const { format, body, layout } = source;
  return {
    ...source,
    isMarked: true,
    body: format === 'markdown' ? withMarkedLines(body) : withMarkedTags(body, 'body', format),
    layout: layout && withMarkedTags(layout, 'layout', 'html'),
  };
}

function withMarkedTags(text: string, part: Mark['part'], format: BodySource['format']): string {
  const pieces: string[] = [];
  let end = 0;
  const insert = (at: number, mark: string) => {
    pieces.push(text.slice(end, at), mark);
    end = at;
  };
  let isInBody = format !== 'mjml';
  for (const { name, at, attributes } of readHtml(text).elements) {
    if (name === 'mj-body') isInBody = true;
    if (!isInBody || !/^[a-z][a-z\d-]*$/.test(name)) continue;
    const afterName = at + 1 + name.length;
    if (!name.startsWith('mj-')) insert(afterName, ` ${attribute}="${part}-${at}"`);
    else if (!/^mj-(?:body|raw|include)$/.test(name)) {
      const given = attributes.get('css-class')?.valueAt;
      const mark = `zqsource-${at}`;
      if (given === undefined) insert(afterName, ` css-class="${mark}"`);
      else insert(given, `${mark} `);
    }
  }
  return pieces.join('') + text.slice(end);
}

/** The mark that an element has itself. */
export function markOf(attributes: ReturnType<typeof readHtml>['elements'][number]['attributes']) {
  const [, part, at] = /^(body|layout)-(\d+)$/.exec(attributes.get(attribute)?.value ?? '') ?? [];
  if (at !== undefined) {
    return { part: part === 'layout' ? 'layout' : 'body', at: Number(at) } as const;
  }
  const [, inBody] = inClass.exec(attributes.get('class')?.value ?? '') ?? [];
  return inBody === undefined ? undefined : ({ part: 'body', at: Number(inBody) } as const);
}
