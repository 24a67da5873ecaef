import { Button } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { type ReactNode, useRef, useState } from 'react'
import { may } from '../../allowed.tsx'
import { previewEntry } from '../queries.ts'
import { unsavedMembers } from '../session/session-state.ts'
import { changesOf } from '../session/values.ts'
import { useEditor } from './editor-context.ts'

type Preview = { open: () => void; isOpening: boolean; dialog: ReactNode }

/** Shows the entry on the website in a new tab, with what is not saved yet. */
export const usePreview = (): Preview => {
  const { type, session } = useEditor()
  const [isOpening, setIsOpening] = useState(false)
  const [explains, setExplains] = useState(false)
  const token = useRef<string>(undefined)
  const show = async (tab: Window | null) => {
    // A link needs an entry to lead to
    if (session.state().entry === null && !(await session.save('flush'))) return tab?.close()
    const state = session.state()
    if (state.entry === null) return
    const changes = changesOf(state.values, unsavedMembers(state))
    const replaces = token.current === undefined ? {} : { replaces: token.current }
    const link = await previewEntry(state.entry.id, { ...changes, ...replaces })
    token.current = link.token
    if (link.url === null) tab?.close()
    else if (tab) tab.location.replace(link.url)
    else toast({ title: 'Preview ready', action: { label: 'Open', onAction: opener(link.url) } })
  }
  const open = async () => {
    if (type.previewUrl === null) return setExplains(true)
    // Opened by the press itself: what comes after a request is taken for advertising
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    setIsOpening(true)
    try {
      await show(tab)
    } catch (error) {
      tab?.close()
      const description = error instanceof RequestError && error.fields[0] ? error.fields[0].message : messageOf(error)
      toast({ tone: 'danger', title: 'No preview available', description })
    } finally {
      setIsOpening(false)
    }
  }
  return {
    open: () => void open(),
    isOpening,
    dialog: explains ? <NoTemplate onClose={() => setExplains(false)} /> : null,
  }
}

const opener = (url: string) => () => void window.open(url, '_blank', 'noreferrer')

const NoTemplate = ({ onClose }: { onClose: () => void }) => {
  const { type, me } = useEditor()
  const canMend = may(me, 'types.manage')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="No preview URL"
      description={`The type “${type.label}” has no preview URL, such as /${type.name}/{slug}, so we don't know where your website shows its entries.${canMend ? '' : ' Ask an admin to add one.'}`}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {canMend ? (
            <LinkButton variant="primary" to={`/types/${type.name}`}>
              Edit type
            </LinkButton>
          ) : null}
        </>
      }
    />
  )
}
