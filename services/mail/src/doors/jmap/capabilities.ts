import type { Config } from '../../config.ts'
import { defaultLimits, extensions } from '../../formats/sieve/sieve.ts'
import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import { MAX_NAME_BYTES, MAX_SCRIPTS } from '../../receiving/filters/filters.ts'
import { MAX_DEPTH } from '../../store/store.ts'
import { DIGEST_NAMES } from './blob/get.ts'
import { EMAIL_SORT_OPTIONS } from './email/sort.ts'
import {
  MAX_CALLS_IN_REQUEST,
  MAX_CONCURRENT_REQUESTS,
  MAX_CONCURRENT_UPLOAD,
  MAX_DATA_SOURCES,
  MAX_OBJECTS_IN_GET,
  MAX_OBJECTS_IN_SET,
  MAX_SIZE_REQUEST,
} from './limits.ts'
import { type Args, CAPABILITIES } from './method.ts'
import { COLLATIONS } from './standard/query.ts'

/** The capabilities in the session (RFC 8620 §2). A request may use these and no others. */
export const serverCapabilities = (config: Config): Record<string, Args> => ({
  [CAPABILITIES.core]: {
    maxSizeUpload: config.maxMessageBytes,
    maxConcurrentUpload: MAX_CONCURRENT_UPLOAD,
    maxSizeRequest: MAX_SIZE_REQUEST,
    maxConcurrentRequests: MAX_CONCURRENT_REQUESTS,
    maxCallsInRequest: MAX_CALLS_IN_REQUEST,
    maxObjectsInGet: MAX_OBJECTS_IN_GET,
    maxObjectsInSet: MAX_OBJECTS_IN_SET,
    collationAlgorithms: COLLATIONS,
  },
  [CAPABILITIES.mail]: {},
  [CAPABILITIES.submission]: {},
  [CAPABILITIES.vacation]: {},
  [CAPABILITIES.blob]: {},
  [CAPABILITIES.quota]: {},
  [CAPABILITIES.sieve]: sieveCapability(),
  [CAPABILITIES.websocket]: {
    url: `${config.publicUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/jmap/ws`,
    supportsPush: true,
  },
})

const KNOWN: ReadonlySet<string> = new Set(Object.values(CAPABILITIES))

export const isCapability = (name: string): boolean => KNOWN.has(name)

/** What a mailbox can be asked for. Who looks at another's mailbox reads and files mail there, and sends as oneself. */
export const accountCapabilities = (
  config: Config,
  { viewerId, mayManage }: Pick<MailboxAccess, 'viewerId' | 'mayManage'>,
): Record<string, Args> => ({
  [CAPABILITIES.mail]: {
    maxMailboxesPerEmail: null,
    maxMailboxDepth: MAX_DEPTH,
    maxSizeMailboxName: 255,
    maxSizeAttachmentsPerEmail: config.maxMessageBytes,
    emailQuerySortOptions: EMAIL_SORT_OPTIONS,
    mayCreateTopLevelMailbox: mayManage,
  },
  [CAPABILITIES.blob]: {
    maxSizeBlobSet: config.maxMessageBytes,
    maxDataSources: MAX_DATA_SOURCES,
    supportedTypeNames: ['Mailbox', 'Thread', 'Email'],
    supportedDigestAlgorithms: DIGEST_NAMES,
  },
  [CAPABILITIES.quota]: {},
  ...(viewerId === null ? ownCapabilities() : {}),
})

/** Whether methods of a capability work on this account. */
export const isSupported = (capability: string, { viewerId }: Pick<MailboxAccess, 'viewerId'>): boolean =>
  viewerId === null || !OWN_ONLY.has(capability)

const OWN_ONLY: ReadonlySet<string> = new Set([CAPABILITIES.submission, CAPABILITIES.vacation, CAPABILITIES.sieve])

const ownCapabilities = (): Record<string, Args> => ({
  [CAPABILITIES.submission]: { maxDelayedSend: MAX_DELAYED_SEND, submissionExtensions: SUBMISSION_EXTENSIONS },
  [CAPABILITIES.vacation]: {},
  [CAPABILITIES.sieve]: sieveAccountCapability(),
})

/** The same bound as in submission and webmail: a month ahead. */
const MAX_DELAYED_SEND = 30 * 86_400

/** The extensions that submission announces in its EHLO response. */
const SUBMISSION_EXTENSIONS: Readonly<Record<string, readonly string[]>> = { FUTURERELEASE: [], SIZE: [], DSN: [] }

/** RFC 9661 §1.2.1: of the service. */
const sieveCapability = (): Args => ({ implementation: 'Stoa' })

const sieveAccountCapability = (): Args => ({
  maxSizeScriptName: MAX_NAME_BYTES,
  maxSizeScript: defaultLimits.scriptLength,
  maxNumberScripts: MAX_SCRIPTS,
  maxNumberRedirects: defaultLimits.redirects,
  sieveExtensions: Object.keys(extensions),
  notificationMethods: ['mailto'],
  externalLists: null,
})
