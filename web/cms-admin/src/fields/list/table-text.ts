import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { Members } from '@stoa/cms-model/fields/members.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { newRow } from './rows.ts'

/** The largest number of rows in a list. */
const MAX_ROWS = 1000
/** Limit of the pasted text: far more than that many rows of short values. */
const MAX_LENGTH = 1_000_000

/** Whether rows of a table can become rows of the list: its fields are values that fit into a cell. */
export const isFlat = (fields: readonly Field[]): boolean =>
  fields.length > 0 && fields.every((field) => typeOf(field).fromCell !== undefined)

/** The cells of a table as spreadsheets copy it (with tabs), or of a CSV file. Empty lines are left out. */
export const readTable = (text: string): string[][] => {
  const given = text.slice(0, MAX_LENGTH)
  const separator = given.includes('\t') ? '\t' : separatorOf(given)
  const rows: string[][] = []
  let cells: string[] = []
  for (const { cell, end } of cellsOf(given, separator)) {
    cells.push(cell.trim())
    if (end === separator) continue
    if (cells.some((filled) => filled !== '')) rows.push(cells)
    cells = []
    if (rows.length >= MAX_ROWS) break
  }
  return rows
}

/** The table as rows of the list. A first line that names fields says which column is which, and is no row. */
export const rowsOfTable = (fields: readonly Field[], table: readonly (readonly string[])[]): Members[] => {
  const [head = [], ...rest] = table
  const named = head.map((cell) => fields.find((field) => isCalled(field, cell)))
  const hasHead = head.length > 0 && named.some(Boolean) && head.every((cell, index) => cell === '' || named[index])
  const columns = hasHead ? named : fields
  return (hasHead ? rest : table).map((cells) => {
    const row = newRow(fields)
    for (const [index, cell] of cells.entries()) {
      const field = columns[index]
      if (field && cell !== '') row[field.key] = typeOf(field).fromCell?.(cell, field)
    }
    return row
  })
}

const isCalled = ({ key, label }: Field, name: string): boolean => [key, label].some((own) => isSame(own, name))
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

// In many languages the comma is in the numbers
const separatorOf = (text: string): string => {
  const [line = ''] = text.split('\n', 1)
  return line.split(';').length > line.split(',').length ? ';' : ','
}

/** Cells with what ended them. Quoted ones may hold separators, line breaks and doubled quotes (RFC 4180 section 2). */
const cellsOf = function* (text: string, separator: string): Generator<{ cell: string; end: string }> {
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (quoted && sign === '"' && text.charAt(at + 1) === '"') {
      cell += '"'
      at += 1
    } else if (sign === '"' && (quoted || cell.trim() === '')) {
      quoted = !quoted
    } else if (!quoted && (sign === separator || sign === '\n')) {
      yield { cell, end: sign }
      cell = ''
    } else if (sign !== '\r' || quoted) cell += sign
  }
  yield { cell, end: '\n' }
}
