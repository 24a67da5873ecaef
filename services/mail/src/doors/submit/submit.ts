import type { DoorServer, Listen } from '../../wire/listen/listen.ts'
import { startSmtpServer } from '../../wire/smtp/smtp.ts'
import { createSubmissionDoor, type SubmitOptions, type SubmitParts } from './submission.ts'

export type { SubmitParts } from './submission.ts'

/** Listens for mail of our own mailboxes: with STARTTLS (587), or TLS from the first byte (465). */
export const startSubmission = (
  parts: SubmitParts,
  listen: Listen & { isImplicit: boolean },
  options: SubmitOptions = {},
): Promise<DoorServer> => {
  const { host, trustedProxies, smtpMaxPerIp, limitExempt } = listen.config
  return startSmtpServer({
    door: createSubmissionDoor(parts, options),
    host,
    port: listen.port,
    certificate: listen.certificate,
    isImplicit: listen.isImplicit,
    trustedProxies,
    maxPerIp: smtpMaxPerIp,
    limitExempt,
  })
}
