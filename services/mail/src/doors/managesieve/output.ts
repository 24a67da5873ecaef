import { drained } from '../../wire/listen/listen.ts'
import { ConnectionClosed, type ManageSieveSession } from './session.ts'

/** Sends text; waits while the client does not read. */
export const write = async ({ socket, limits }: ManageSieveSession, text: string): Promise<void> => {
  if (socket.destroyed || !socket.writable) throw new ConnectionClosed('the peer has gone')
  if (socket.write(text)) return
  try {
    await drained(socket, limits.writeMs)
  } catch (error) {
    socket.destroy()
    throw new ConnectionClosed('the peer does not read', { cause: error })
  }
  if (socket.destroyed) throw new ConnectionClosed('the peer has gone')
}
