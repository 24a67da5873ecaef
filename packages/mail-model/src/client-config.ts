import { z } from 'zod'

const door = z.object({ host: z.string(), port: z.int(), security: z.enum(['tls', 'starttls']) })

/** Host names and ports for mail clients; null: the protocol is off. */
export const clientConfig = z.object({
  object: z.literal('client_config'),
  /** What to enter as the user name. */
  username: z.string(),
  imap: door.nullable(),
  pop3: door.nullable(),
  smtp: door.nullable(),
  submission: door.nullable(),
  managesieve: door.nullable(),
  jmap: z.object({ url: z.string() }),
  webmail: z.object({ url: z.string() }),
  autoconfig: z.object({ url: z.string() }),
})
export type ClientConfig = z.infer<typeof clientConfig>
