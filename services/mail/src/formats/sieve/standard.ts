import { base } from './base/base.ts'
import type { SieveExtension } from './define.ts'
import { extensions } from './extensions/index.ts'
import type { Language } from './language.ts'

/** All extensions of the service. */
export const standardExtensions: readonly SieveExtension[] = Object.values(extensions)

/** A language of these extensions. Later ones take the place of earlier ones with the same name. */
export const createLanguage = (available: readonly SieveExtension[]): Language => ({
  base,
  extensions: new Map(available.map((extension) => [extension.name, extension])),
})

/** The language of the service's own scripts. */
export const standardLanguage: Language = createLanguage(standardExtensions)
