import { optionalPort } from '@stoa/kit/config/kinds.ts'
import type { ConfigOf } from '@stoa/kit/config.ts'

/** The protocol ports: where the service listens, and where clients connect when that differs. */
export const doorVariables = {
  SMTP_PORT: optionalPort({
    default: '2025',
    doc: 'Port for mail from other servers. Use 25 in production. 0 turns it off.',
  }),
  SUBMISSION_PORT: optionalPort({
    default: '2587',
    doc: 'Port for mail from users (submission), with STARTTLS. Use 587 in production. 0 turns it off.',
  }),
  SUBMISSIONS_PORT: optionalPort({
    default: '2465',
    doc: 'Port for mail from users (submission), with implicit TLS. Use 465 in production. 0 turns it off.',
  }),
  IMAP_PORT: optionalPort({
    default: '2143',
    doc: 'Port for IMAP with STARTTLS. Use 143 in production. 0 turns it off.',
  }),
  IMAPS_PORT: optionalPort({
    default: '2993',
    doc: 'Port for IMAP with implicit TLS. Use 993 in production. 0 turns it off.',
  }),
  POP3_PORT: optionalPort({ default: '2110', doc: 'Port for POP3 with STLS. Use 110 in production. 0 turns it off.' }),
  POP3S_PORT: optionalPort({
    default: '2995',
    doc: 'Port for POP3 with implicit TLS. Use 995 in production. 0 turns it off.',
  }),
  MANAGESIEVE_PORT: optionalPort({ default: '4190', doc: 'Port for ManageSieve with STARTTLS. 0 turns it off.' }),
  PUBLIC_SMTP_PORT: shownPort('SMTP_PORT'),
  PUBLIC_SUBMISSION_PORT: shownPort('SUBMISSION_PORT'),
  PUBLIC_SUBMISSIONS_PORT: shownPort('SUBMISSIONS_PORT'),
  PUBLIC_IMAP_PORT: shownPort('IMAP_PORT'),
  PUBLIC_IMAPS_PORT: shownPort('IMAPS_PORT'),
  PUBLIC_POP3_PORT: shownPort('POP3_PORT'),
  PUBLIC_POP3S_PORT: shownPort('POP3S_PORT'),
  PUBLIC_MANAGESIEVE_PORT: shownPort('MANAGESIEVE_PORT'),
}

/** A port per protocol; 0: the door is closed. */
export type Doors = Readonly<{
  smtpPort: number
  submissionPort: number
  submissionsPort: number
  imapPort: number
  imapsPort: number
  pop3Port: number
  pop3sPort: number
  manageSievePort: number
}>

export const readDoors = (values: ConfigOf<typeof doorVariables>): Doors => ({
  smtpPort: values.SMTP_PORT ?? 0,
  submissionPort: values.SUBMISSION_PORT ?? 0,
  submissionsPort: values.SUBMISSIONS_PORT ?? 0,
  imapPort: values.IMAP_PORT ?? 0,
  imapsPort: values.IMAPS_PORT ?? 0,
  pop3Port: values.POP3_PORT ?? 0,
  pop3sPort: values.POP3S_PORT ?? 0,
  manageSievePort: values.MANAGESIEVE_PORT ?? 0,
})

/** The ports for clients: behind a load balancer, its ports. */
export const readPublicDoors = (values: ConfigOf<typeof doorVariables>): Doors => {
  const own = readDoors(values)
  const shown = (port: number | null | undefined, listening: number): number =>
    port === undefined ? listening : (port ?? 0)
  return {
    smtpPort: shown(values.PUBLIC_SMTP_PORT, own.smtpPort),
    submissionPort: shown(values.PUBLIC_SUBMISSION_PORT, own.submissionPort),
    submissionsPort: shown(values.PUBLIC_SUBMISSIONS_PORT, own.submissionsPort),
    imapPort: shown(values.PUBLIC_IMAP_PORT, own.imapPort),
    imapsPort: shown(values.PUBLIC_IMAPS_PORT, own.imapsPort),
    pop3Port: shown(values.PUBLIC_POP3_PORT, own.pop3Port),
    pop3sPort: shown(values.PUBLIC_POP3S_PORT, own.pop3sPort),
    manageSievePort: shown(values.PUBLIC_MANAGESIEVE_PORT, own.manageSievePort),
  }
}

function shownPort(listening: string) {
  return optionalPort({
    defaultText: listening,
    doc: `Port to show in client settings instead of ${listening}, if you use a load balancer.`,
  })
}
