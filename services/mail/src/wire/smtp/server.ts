import { type DoorOptions, type DoorServer, startDoor } from '../listen/listen.ts'
import type { Door } from './door.ts'
import { runSession } from './session.ts'

export type SmtpServerOptions<User, Recipient> = Omit<DoorOptions, 'handshakeMs'> & { door: Door<User, Recipient> }

/** Listens for SMTP. When it stops, messages that are complete are finished, the others are asked to retry. */
export const startSmtpServer = <User, Recipient>({
  door,
  ...options
}: SmtpServerOptions<User, Recipient>): Promise<DoorServer> =>
  startDoor(
    { ...options, handshakeMs: door.limits.handshakeMs },
    {
      name: 'SMTP',
      log: door.log,
      tooManyFromYou: '421 4.7.0 Too many connections from your address\r\n',
      tooMany: '421 4.3.2 Too many connections\r\n',
      serve: (connection, stopping) => runSession(connection, door, stopping),
    },
  )
