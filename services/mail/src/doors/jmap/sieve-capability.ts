import { defaultLimits, extensions } from '../../formats/sieve/sieve.ts'
import { MAX_NAME_BYTES, MAX_SCRIPTS } from '../../receiving/filters/filters.ts'
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
