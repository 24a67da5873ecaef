import { findProgram } from './programs.ts'

export const findSystemdAnalyze = (): string | undefined => findProgram(['systemd-analyze'])

/** Why tests with it are left out: never in CI, where a missing one must not look like a passed test. */
export const missingSystemdAnalyze = (): string | false =>
  findSystemdAnalyze() || process.env.CI ? false : 'no systemd-analyze: install systemd'

/** The lines of a unit file by their names; comments and sections are left out. */
export const readUnit = (text: string): ReadonlyMap<string, readonly string[]> => {
  const lines = new Map<string, string[]>()
  for (const [, name = '', value = ''] of text.matchAll(/^([A-Z]\w+)=(.*)$/gm))
    lines.set(name, [...(lines.get(name) ?? []), value])
  return lines
}
