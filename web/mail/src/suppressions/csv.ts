/** Lines as a comma-separated text that every spreadsheet reads. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((fields) => `${fields.map(toField).join(',')}\r\n`).join('')

const toField = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Words that others chose must not be a formula when the file is opened. */
export const toPlainField = (value: string): string => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
