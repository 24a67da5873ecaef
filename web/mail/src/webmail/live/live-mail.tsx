import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { countOf } from '../folders/folder-tree.ts'
import { foldersQuery, mailSettingsQuery } from '../queries.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { startNotifier } from './notifications.ts'
import { useNotifies } from './notify-choice.ts'
import { keepCountInTitle, showBadge } from './unread-title.ts'
import { useLiveMail } from './use-live-mail.ts'

/** Keeps the webmail up to date, notifies of new mail, and says when the connection is lost. The first thing in the frame. */
export const LiveMail = () => {
  const { data: folders } = useQuery(foldersQuery)
  const inbox = folders?.data.find(({ role }) => role === 'inbox')
  const onInboxChange = useNotifications(inbox?.id)
  const { state, retry } = useLiveMail((ids) => {
    if (inbox && ids.has(inbox.id)) onInboxChange()
  })
  const { data: settings } = useQuery(mailSettingsQuery)
  useUnreadCount(inbox && settings ? countOf(inbox, settings) : 0)
  return <ConnectionNotice state={state} onRetry={retry} />
}

const useNotifications = (inboxId: string | undefined): (() => void) => {
  const router = useRouter()
  const isOn = useNotifies()
  const notifier = useRef<ReturnType<typeof startNotifier>>(null)
  const open = useEffectEvent((messageId: string | null) => {
    void router.navigate(
      messageId === null
        ? { to: '/webmail/$place', params: { place: 'inbox' } }
        : { to: '/webmail/$place/$messageId', params: { place: 'inbox', messageId } },
    )
  })
  useEffect(() => {
    if (!isOn || inboxId === undefined) return
    notifier.current = startNotifier(inboxId, (messageId) => open(messageId))
    return () => {
      notifier.current?.close()
      notifier.current = null
    }
  }, [isOn, inboxId])
  return () => notifier.current?.onInboxChange()
}

const useUnreadCount = (unread: number): void => {
  useEffect(() => {
    showBadge(unread)
    return keepCountInTitle(unread)
  }, [unread])
  useEffect(
    () => () => {
      showBadge(0)
      // Signing out leaves no count behind
      keepCountInTitle(0)()
    },
    [],
  )
}
