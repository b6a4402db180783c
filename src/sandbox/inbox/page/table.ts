import { html } from 'hono/html';
import type { Html } from './layout.ts';

interface Column {
  readonly name: string;
  /** Numbers stand under each other. */
  readonly number?: boolean;
}

interface Table {
  /** What the table holds, for those who do not see what stands around it. */
  readonly caption: string;
  /** The first one names the row. */
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Html | string)[])[];
}

/** A table whose rows become blocks of named values where the window is narrow. */
export function table({ caption, columns, rows }: Table): Html {
  return html`<table>
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${kind(column)}>${column.name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody>
</table>`;

  function cell(content: Html | string, index: number): Html {
    const column = columns[index] ?? { name: '' };
    if (index === 0) return html`<th scope="row">${content}</th>`;
    // The element within is what stands beside the name when the row is a block.
    const inner = content === '' ? '' : html`<div>${content}</div>`;
    return html`<td data-label="${column.name}"${kind(column)}>${inner}</td>`;
  }
}

function kind({ number = false }: Column): Html | '' {
  return number ? html` class="number"` : '';
}
