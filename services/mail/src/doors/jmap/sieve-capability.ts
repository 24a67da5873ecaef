import { extensions } from '../../formats/sieve/extensions/index.ts'
import { defaultLimits } from '../../formats/sieve/limits.ts'
import { MAX_NAME_BYTES, MAX_SCRIPTS } from '../../receiving/filters/client-scripts.ts'
import type { Args } from './method.ts'

/** RFC 9661 §1.2.1: of the service. */
export const sieveCapability = (): Args => ({ implementation: 'Stoa' })

/** Of a mailbox. */
export const sieveAccountCapability = (): Args => ({
  maxSizeScriptName: MAX_NAME_BYTES,
  maxSizeScript: defaultLimits.scriptLength,
  maxNumberScripts: MAX_SCRIPTS,
  maxNumberRedirects: defaultLimits.redirects,
  sieveExtensions: Object.keys(extensions),
  notificationMethods: ['mailto'],
  externalLists: null,
})
