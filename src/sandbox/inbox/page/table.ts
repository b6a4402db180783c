import { html } from 'hono/html';
import type { Html } from './html.ts';

interface Table {
  /** A description for screen readers. */
  readonly caption: string;
  /** Their names. The first one names the row. */
  readonly columns: readonly string[];
  /** The columns of numbers, which are aligned to the right. */
  readonly numbers?: readonly string[];
  readonly rows: readonly (readonly (Html | string)[])[];
}

/** A table. In a narrow window each row becomes a block of named values. */
export function table({ caption, columns, numbers = [], rows }: Table): Html {
  return html`<table>
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map((name) => html`<th scope="col"${kind(name)}>${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody>
</table>`;

  function cell(content: Html | string, index: number): Html {
    const name = columns[index] ?? '';
    if (index === 0) return html`<th scope="row">${content}</th>`;
    // In a block, the element shows the value beside its name.
    const inner = content === '' ? '' : html`<div>${content}</div>`;
    return html`<td data-label="${name}"${kind(name)}>${inner}</td>`;
  }

  function kind(name: string): Html | '' {
    return numbers.includes(name) ? html` class="number"` : '';
  }
}
