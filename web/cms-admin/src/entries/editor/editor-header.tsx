import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Tooltip } from '@stoa/ui/layer/tooltip.tsx'
import { AppLink, LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { ChevronRight, Eye, PanelRight, PanelsTopLeft, Redo2, Undo2 } from 'lucide-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { PersonAvatar } from '../../accounts/person-avatar.tsx'
import { usePresence } from '../../realtime/live.tsx'
import { useHistory } from '../../use-history.ts'
import { pagePath, useHasPages } from '../../visual/pages.ts'
import { isDirty, isFrozen } from '../session/session-state.ts'
import { useEditor } from './editor-context.ts'
import { MoreMenu } from './more-menu.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { SaveIndicator } from './save-indicator.tsx'
import { usePreview } from './use-preview.tsx'
import type { SideColumn } from './use-side-column.ts'
import { useStatusWords } from './use-status-words.ts'

/** Where one is, what is saved, and what can be done. It stays in sight. */
export const EditorHeader = ({ side }: { side: SideColumn }) => {
  const { type, state, rights, publishIn } = useEditor()
  const list = `/content/${type.name}`
  const header = useBarTop()
  const phone = useIsPhone()
  const status = useStatusWords()
  const details = (
    <IconButton
      label="Details"
      icon={<PanelRight />}
      side="bottom"
      aria-expanded={side.isOpen}
      onClick={() => side.setOpen(!side.isOpen)}
    />
  )
  return (
    <header
      ref={header}
      // Above the toolbars of fields, which stay in sight below it
      className="layer-bar sticky top-0 -mx-4 -mt-5 mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-surface px-4 py-2.5 desk:-mx-8 desk:-mt-7 desk:mb-7 desk:px-8 phone:top-12"
    >
      <nav aria-label="Breadcrumb" className="flex min-h-6 min-w-0 items-center gap-1 text-sm">
        {type.kind === 'single' ? (
          <span className="truncate text-muted">{type.label}</span>
        ) : (
          <>
            <AppLink to={list} className="truncate rounded-sm py-0.5 text-muted hover:text-ink">
              {type.labelPlural}
            </AppLink>
            <ChevronRight aria-hidden className="size-3 shrink-0 text-faint" />
          </>
        )}
      </nav>
      <h1 className="sr-only">
        {state.entry === null ? `New ${type.label.toLowerCase()}` : `Edit ${type.label.toLowerCase()}`}
      </h1>
      {publishIn === 'card' ? null : <Status tone={status.tone}>{status.title}</Status>}
      {rights.edit ? <SaveIndicator /> : null}
      <div className="ml-auto flex items-center gap-2">
        <Present />
        {phone ? details : null}
      </div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2 phone:w-full phone:gap-1">
        {rights.edit && state.entry !== null ? <PageLink entryId={state.entry.id} /> : null}
        {rights.edit ? <WriteActions /> : null}
        {state.entry === null ? null : <MoreMenu />}
        {phone ? null : details}
      </div>
    </header>
  )
}

/** Toolbars of fields stay in sight below the header, whose actions wrap where there is little room. */
const useBarTop = () => {
  const header = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = header.current
    const editor = element?.parentElement
    if (!element || !editor) return
    const place = () => {
      const top = Number.parseFloat(getComputedStyle(element).top) + element.offsetHeight
      editor.style.setProperty('--editor-bar-top', `${top}px`)
    }
    const observer = new ResizeObserver(place)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return header
}

/** Goes on with the entry on its page of the website. */
const PageLink = ({ entryId }: { entryId: string }) => {
  const { type } = useEditor()
  const phone = useIsPhone()
  const navigateTo = useNavigateTo()
  const hasPage = useHasPages()(type.name) && !phone
  useShortcut({
    keys: 'mod+e',
    description: 'Edit on the page',
    group: 'Entry',
    enabled: hasPage,
    onPress: () => navigateTo(pagePath(entryId)),
  })
  if (!hasPage) return null
  return (
    <LinkButton to={pagePath(entryId)} icon={<PanelsTopLeft />}>
      Edit on the page
    </LinkButton>
  )
}

/** The others who have it open. */
export const Present = () => {
  const { state } = useEditor()
  const people = usePresence(state.entry)
  if (people.length === 0) return null
  return (
    <ul aria-label="Also editing" className="flex items-center -space-x-1.5">
      {people.slice(0, MAX_FACES).map(({ id, name, avatarUrl }) => (
        <li key={id}>
          <Tooltip label={`${name} is also here`} side="bottom">
            <button type="button" aria-label={`${name} is also here`} className="flex rounded-full ring-2 ring-surface">
              <PersonAvatar person={{ id, name, avatarUrl }} />
            </button>
          </Tooltip>
        </li>
      ))}
      {people.length > MAX_FACES ? <li className="pl-3 text-muted text-xs">+{people.length - MAX_FACES}</li> : null}
    </ul>
  )
}

const MAX_FACES = 4

/** Undo, preview, save and publish, as the rights of the person allow. */
export const WriteActions = () => {
  const { session, state, rights, canWrite, publishIn } = useEditor()
  const history = useHistory(session.stack)
  const [publishing, setPublishing] = useState(false)
  const phone = useIsPhone()
  const preview = usePreview()
  const isLive = state.entry?.status === 'published'
  const hasNews = !isLive || state.entry?.pending === true || isDirty(state)
  const canPublish = canWrite && rights.publish && hasNews
  useShortcut({
    keys: 'mod+s',
    description: 'Save',
    group: 'Entry',
    onPress: () => canWrite && void session.save(),
  })
  useShortcut({
    keys: 'mod+shift+p',
    description: 'Publish',
    group: 'Entry',
    enabled: rights.publish,
    onPress: () => canPublish && setPublishing(true),
  })
  return (
    <>
      <span className="flex items-center phone:mr-auto">
        <IconButton
          label="Undo"
          shortcut="mod+z"
          side="bottom"
          icon={<Undo2 />}
          onMouseDown={keepFocus}
          disabled={isFrozen(state) || history.past.length === 0}
          onClick={session.stack.undo}
        />
        <IconButton
          label="Redo"
          shortcut="mod+shift+z"
          side="bottom"
          icon={<Redo2 />}
          onMouseDown={keepFocus}
          disabled={isFrozen(state) || history.future.length === 0}
          onClick={session.stack.redo}
        />
      </span>
      {phone ? (
        <IconButton
          label="Preview"
          icon={<Eye />}
          disabled={!canWrite}
          loading={preview.isOpening}
          onClick={preview.open}
        />
      ) : (
        <Button icon={<Eye />} disabled={!canWrite} loading={preview.isOpening} onClick={preview.open}>
          Preview
        </Button>
      )}
      <Tooltip
        label={isLive ? 'Saves as unpublished changes. The live version stays the same.' : 'Saves the draft'}
        shortcut="mod+s"
        side="bottom"
      >
        <Button disabled={!canWrite || (state.entry !== null && !isDirty(state))} onClick={() => void session.save()}>
          Save
        </Button>
      </Tooltip>
      {rights.publish && publishIn === 'header' ? (
        <Button variant="primary" disabled={!canPublish} onClick={() => setPublishing(true)}>
          {isLive && !phone ? 'Publish changes' : 'Publish'}
        </Button>
      ) : null}
      {publishing ? <PublishDialog onClose={() => setPublishing(false)} /> : null}
      {preview.dialog}
    </>
  )
}

/** Undone in the middle of a text, the caret stays there. */
const keepFocus = (event: MouseEvent<HTMLElement>): void => event.preventDefault()
