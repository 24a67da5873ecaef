import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { CanvasHandle } from '../canvas/canvas.tsx'
import type { FromCanvas, KeyCombo, Target } from '../canvas/protocol.ts'
import { SurfacePanel } from '../design/surface-panel.tsx'
import { useEditWork } from '../edit-work.ts'
import { changesOf, savedOf } from './drafts.ts'
import { PartPanel } from './part-panel.tsx'
import { siteAddress } from './queries.ts'
import { RecoveryNotice } from './recovery-notice.tsx'
import { SiteBar } from './site-bar.tsx'
import { SiteCanvas } from './site-canvas.tsx'
import { useSite } from './site-context.ts'
import { SiteList } from './site-list.tsx'
import type { Chosen } from './site-work.ts'
import { designKey, entryKey, isEntryPart } from './sources.ts'
import { useShownDrafts } from './use-shown-drafts.ts'
import { useSitePage } from './use-site-page.ts'

/** The list of parts and surfaces, the page that shows them, and the editor of the chosen one. */
export const SiteEditor = () => {
  const phone = useIsPhone()
  const { chosen, choose, canvas, page, receive } = useChoice()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the editor is below the list
    if (phone && chosen !== null) panel.current?.scrollIntoView({ block: 'start' })
  }, [phone, chosen])
  return (
    <div className="flex h-full flex-col">
      <SiteBar />
      <RecoveryNotice />
      <div className="flex min-h-0 flex-1 phone:flex-col phone:overflow-y-auto">
        <aside
          aria-label="Parts and design"
          className="w-60 shrink-0 overflow-y-auto border-line border-r p-3 phone:w-full phone:border-r-0 phone:border-b"
        >
          <SiteList chosen={chosen} onChoose={choose} />
        </aside>
        {/* On a phone there is no room for a page and what is said about it */}
        {phone ? null : <SiteCanvas canvas={canvas} page={page} onMessage={receive} />}
        <aside
          ref={panel}
          aria-label="Selection"
          className="flex w-88 shrink-0 flex-col overflow-y-auto border-line border-l phone:min-h-full phone:w-full phone:border-l-0"
        >
          <Selection chosen={chosen} isDraftHidden={page.isDraftHidden} />
        </aside>
      </div>
    </div>
  )
}

const Selection = ({ chosen, isDraftHidden }: { chosen: Chosen | null; isDraftHidden: boolean }) => {
  const { website, design, work } = useSite()
  const part = chosen?.kind === 'part' ? website.parts.find(({ id }) => id === chosen.id) : undefined
  const surface = chosen?.kind === 'surface' ? design.surfaces.find(({ id }) => id === chosen.id) : undefined
  const draft = surface && work.drafts.sources[designKey(surface.id)]
  if (part) return <PartPanel key={part.id} part={part} isDraftHidden={isDraftHidden} />
  if (surface && draft) return <SurfacePanel key={surface.id} surface={surface} draft={draft} />
  return (
    <p className="p-4 text-muted text-sm">
      Click a part of the page to edit it, or choose one from the list. Parts appear on every page.
    </p>
  )
}

const targetOf = (id: string): Target => ({ kind: 'part', id, index: 0 })

const useChoice = () => {
  const { website, settings, work, saving } = useSite()
  const canvas = useRef<CanvasHandle>(null)
  const isSeen = useRef(false)
  const { site } = useEditWork()
  const chosen = useSyncExternalStore(site.subscribe, site.chosen)
  const [entryId, setEntryId] = useState<string | null>(null)
  const [onPage, setOnPage] = useState<readonly string[]>([])
  const draft = entryId === null ? undefined : work.drafts.sources[entryKey(entryId)]
  const page = useSitePage({
    website,
    address: website.previewUrl === null ? null : siteAddress(settings, website.previewUrl),
    previewed: entryId !== null && draft ? { entryId, changes: changesOf(draft) } : null,
    saves: saving.count,
    saved: () => savedOf(work.now()),
  })
  const pageIsSeen = useShownDrafts(canvas, page)

  const show = useEffectEvent((next: Chosen) => {
    const part = next.kind === 'part' ? website.parts.find(({ id }) => id === next.id) : undefined
    // Preview links are for those who may edit the entry
    if (part && isEntryPart(part) && part.state.canEdit) setEntryId(part.state.entryId)
    // The page of an entry need not have every part; that of the site does
    else if (part && !onPage.includes(part.id)) setEntryId(null)
  })
  useEffect(() => {
    if (chosen !== null) show(chosen)
  }, [chosen])
  const choose = (next: Chosen) => {
    site.choose(next)
    if (next.kind === 'part') canvas.current?.send({ t: 'highlight', target: targetOf(next.id), scroll: true })
    else canvas.current?.send({ t: 'clear' })
  }
  const press = (combo: KeyCombo): void => {
    if (combo === 'mod+Z') work.stack.undo()
    else if (combo === 'mod+Shift+Z') work.stack.redo()
    else if (combo === 'mod+S') saving.saveAll()
    else if (combo === 'Esc') site.choose(null)
  }
  const receive = (message: FromCanvas): void => {
    switch (message.t) {
      case 'ready':
        setOnPage(message.parts)
        pageIsSeen()
        // What is chosen from before, or because it was undone, is brought into sight once
        if (chosen?.kind === 'part')
          canvas.current?.send({ t: 'highlight', target: targetOf(chosen.id), scroll: !isSeen.current })
        isSeen.current = true
        break
      case 'select':
        if (message.target?.kind === 'part') site.choose({ kind: 'part', id: message.target.id })
        break
      case 'key':
        press(message.combo)
        break
    }
  }
  return { chosen, choose, canvas, page, receive }
}
