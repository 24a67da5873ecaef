import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { useHistory } from '../use-history.ts'
import { changeNews, layoutNews, stepBetween } from './announcements.ts'
import { layoutOf, type PageSection } from './layout.ts'

type Announcing = {
  sections: readonly PageSection[]
  labelOf: (id: string) => string
  /** The section that somebody moved last. */
  moved: { readonly current: string | null }
}

/** What screen readers announce about the page: moves, what is hidden or shown, what was undone. */
export const useAnnouncements = ({ sections, labelOf, moved }: Announcing): string => {
  const { type, state, session } = useEditor()
  const { values } = state
  const history = useHistory(session.stack)
  const before = useRef({ values, history })
  const [said, setSaid] = useState('')
  const announce = useEffectEvent((now: typeof before.current) => {
    const was = before.current
    before.current = now
    if (was.values === now.values) return
    const known = { sections, labelOf, fields: type.fields }
    const step = stepBetween(was.history, now.history)
    const news = step
      ? `${step}: ${changeNews(was.values, now.values, known)}`
      : layoutNews(layoutOf(was.values.data), layoutOf(now.values.data), known, moved.current)
    // Screen readers repeat a message only when its text differs
    if (news) setSaid((last) => (last === news ? `${news}\u00a0` : news))
  })
  useEffect(() => announce({ values, history }), [values, history])
  return said
}
