import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { mailboxQuery } from '../queries.ts'
import { type ComposeIntent, compose, onCompose } from './compose.ts'

/** The windows that mail is written in, above every screen of the webmail. Their code comes with the first one. */
export const ComposeHost = () => {
  const { data: mailbox } = useQuery(mailboxQuery)
  const client = useQueryClient()
  const [wantedBy, setWantedBy] = useState<string>()
  const mailboxId = mailbox?.id
  useEffect(() => {
    if (!mailbox) return
    const open = async (intent: ComposeIntent) => {
      try {
        const { openIntent } = await import('./open.ts')
        setWantedBy(mailbox.id)
        await openIntent(intent, { client, mailbox })
      } catch (error) {
        console.error(error)
        toast({
          tone: 'danger',
          title: "Couldn't open the editor",
          description: 'Check your connection and try again.',
        })
      }
    }
    return onCompose((intent) => void open(intent))
  }, [mailbox, client])
  useEffect(() => {
    if (mailboxId !== undefined && hasKept(mailboxId)) setWantedBy(mailboxId)
  }, [mailboxId])
  useEffect(takeMailto, [])
  if (!mailbox || wantedBy !== mailbox.id) return null
  return (
    <Suspense>
      <ComposeDock key={mailbox.id} mailbox={mailbox} />
    </Suspense>
  )
}

const ComposeDock = lazy(async () => ({ default: (await import('./compose-dock.tsx')).ComposeDock }))

/** Asked without the code that reads it. */
const hasKept = (mailboxId: string): boolean => {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(`stoa:compose:${mailboxId}:`))
  } catch {
    // The browser blocks site data: nothing was kept
    return false
  }
}

/** `/webmail/inbox?mailto=…`: where the browser leads for a link to an address, if it was asked to. */
const takeMailto = (): void => {
  const address = new URL(location.href)
  const href = address.searchParams.get('mailto')
  if (href === null) return
  address.searchParams.delete('mailto')
  history.replaceState(history.state, '', address)
  compose({ kind: 'mailto', href })
}
