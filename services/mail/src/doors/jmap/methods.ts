import { blobMethods } from './blob/blob.ts'
import { emailMethods } from './email/email.ts'
import { identityMethods } from './identity/identities.ts'
import { mailboxMethods } from './mailbox/mailbox.ts'
import { CAPABILITIES, type JmapMethod } from './method.ts'
import { pushMethods } from './push/methods.ts'
import { quotaMethods } from './quota/quota.ts'
import { sieveMethods } from './sieve/scripts.ts'
import { snippetMethods } from './snippet/snippet.ts'
import { submissionMethods } from './submission/submissions.ts'
import { threadMethods } from './thread/thread.ts'
import { vacationMethods } from './vacation/vacation.ts'

/** RFC 8620 §4. */
const echo: JmapMethod = { name: 'Core/echo', capability: CAPABILITIES.core, run: async (_call, args) => args }

/** Every method, by its name: one line per data type. */
const all: readonly JmapMethod[] = [
  echo,
  ...pushMethods,
  ...blobMethods,
  ...quotaMethods,
  ...mailboxMethods,
  ...threadMethods,
  ...emailMethods,
  ...snippetMethods,
  ...identityMethods,
  ...submissionMethods,
  ...vacationMethods,
  ...sieveMethods,
]

export const METHODS: ReadonlyMap<string, JmapMethod> = new Map(all.map((method) => [method.name, method]))
