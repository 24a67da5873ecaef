const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const text = (value: string): string => value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
export const id = (value: string): string => value.replace(/[^A-Za-z0-9_-]/g, '-')

export const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll" tabindex="0"><table><thead><tr>${heads.map((head) => (head === '' ? '<td></td>' : `<th scope="col">${text(head)}</th>`)).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`

export const row = (cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
