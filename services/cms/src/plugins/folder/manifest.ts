import { isUtf8 } from 'node:buffer'
import {
  type PluginManifest,
  pluginManifest,
  pluginName,
  reservedPluginNames,
} from '@stoa/cms-model/plugin-manifest.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { parseJson } from '@stoa/kit/http/json.ts'
import { FolderError } from './walk.ts'

export const MANIFEST = 'plugin.json'
const MAX_MANIFEST_BYTES = 64 * 1024

/** The number of problems that a person can fix at once. */
const MAX_PROBLEMS = 5

/** Refuses a folder that no plugin may have as its name. */
export const refuseOtherName = (name: string): void => {
  if (!pluginName.safeParse(name).success)
    throw new FolderError(
      'The folder name must be 2 to 41 lowercase letters, digits and hyphens, starting with a letter',
    )
  if (reservedPluginNames.includes(name)) throw new FolderError(`The name ${name} is reserved`)
}

/** What `plugin.json` says, if it says it right. */
export const parseManifest = (name: string, bytes: Buffer): PluginManifest => {
  if (bytes.length > MAX_MANIFEST_BYTES)
    throw new FolderError(`${MANIFEST}: is larger than ${MAX_MANIFEST_BYTES / 1024} KiB`)
  if (!isUtf8(bytes)) throw new FolderError(`${MANIFEST}: isn't UTF-8 text`)
  const parsed = pluginManifest.safeParse(jsonOf(bytes), { error: issueText })
  if (!parsed.success) throw problemsOf(parsed.error.issues)
  if (parsed.data.name !== name) throw new FolderError(`name: must be the same as the folder name, ${name}`)
  return parsed.data
}

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return parseJson(new TextDecoder().decode(bytes))
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'invalid_json') throw error
    const { reason } = error.detail as { reason: string }
    throw new FolderError(`${MANIFEST}: ${reason.replace(/^The body/, 'The file')}`)
  }
}

const problemsOf = (issues: readonly { path: PropertyKey[]; message: string }[]): FolderError => {
  const shown = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${path.join('.') || MANIFEST}: ${message}`)
  if (issues.length > MAX_PROBLEMS) shown.push(`and ${issues.length - MAX_PROBLEMS} more`)
  return new FolderError(shown.join('; '))
}

/** Refuses a manifest that names files which are not in the folder. */
export const refuseMissingFiles = (manifest: PluginManifest, paths: ReadonlySet<string>): void => {
  const named = [
    ['server', manifest.server],
    ...manifest.screens.map(({ file }, index) => [`screens.${index}.file`, file] as const),
    ...manifest.panels.map(({ file }, index) => [`panels.${index}.file`, file] as const),
    ...manifest.pages.map(({ file }, index) => [`pages.${index}.file`, file] as const),
  ] as const
  const missing = named.filter(([, file]) => !paths.has(file))
  if (missing.length === 0) return
  throw problemsOf(missing.map(([at, file]) => ({ path: [at], message: `${file} isn't in the folder` })))
}
