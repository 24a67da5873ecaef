/** One place of a script that the service does not take. */
export type ScriptProblem = { line: number; column: number; message: string }

/** The places in the words of a refusal: "line 3, column 5: …; line 4, …". */
export const problemsIn = (message: string): ScriptProblem[] =>
  [...message.matchAll(/line (\d+), column (\d+): ([\s\S]*?)(?=; line \d+, column \d+: |$)/gi)].map(
    ([, line, column, words = '']) => ({ line: Number(line), column: Number(column), message: words.trim() }),
  )

/** The extension that is missing, if that is all that is wrong. */
export const missingExtension = ({ message }: ScriptProblem): string | undefined =>
  /add require "([^"]+)"/.exec(message)?.[1]

/** The script with one extension more. What is required already stays as it is written. */
export const withRequire = (script: string, extension: string): string => {
  const [whole, list] = /^(?:\s|#[^\n]*\n)*require\s+(\[[^\]]*\]|"[^"]*")\s*;/i.exec(script) ?? []
  if (whole === undefined || list === undefined) return `require "${extension}";\n${script === '' ? '' : '\n'}${script}`
  const inner = list.replace(/^\[\s*|\s*\]$/g, '')
  const start = whole.lastIndexOf(list)
  const rest = script.slice(start + list.length)
  return `${script.slice(0, start)}[${inner === '' ? '' : `${inner}, `}"${extension}"]${rest}`
}

/** The part of the text that is underlined: the word at the place, or what is left of its line. */
export const spanOf = (text: string, { line, column }: Pick<ScriptProblem, 'line' | 'column'>) => {
  const lines = text.split('\n')
  const at = Math.min(Math.max(line, 1), lines.length)
  const start = lines.slice(0, at - 1).reduce((sum, one) => sum + one.length + 1, 0)
  const content = lines[at - 1] ?? ''
  const offset = Math.min(Math.max(column - 1, 0), content.length)
  const word = /^(?::?[\w-]+|"(?:[^"\\]|\\.)*"?|\S)/.exec(content.slice(offset))?.[0] ?? ''
  const from = word === '' && offset > 0 ? offset - 1 : offset
  return { from: start + from, to: start + Math.max(offset + word.length, from) }
}
