import { drained } from '../../wire/listen/listen.ts'
import { Gone, type Session } from './session.ts'

/** Sends text; waits while the client does not read. */
export const write = async ({ socket, limits }: Session, text: string): Promise<void> => {
  if (socket.destroyed || !socket.writable) throw new Gone('the peer has gone')
  if (socket.write(text)) return
  try {
    await drained(socket, limits.writeMs)
  } catch (error) {
    socket.destroy()
    throw new Gone('the peer does not read', { cause: error })
  }
  if (socket.destroyed) throw new Gone('the peer has gone')
}
