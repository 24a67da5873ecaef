import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { restorable } from './recovery.ts'
import { useSite } from './site-context.ts'
import { designKey, isMenuPart, keyOfPart } from './sources.ts'
import { useSiteRecovery } from './use-site-recovery.ts'

/** Offers what was changed on an earlier visit and not saved. */
export const RecoveryNotice = () => {
  const { me, website, design, work } = useSite()
  const { copy, restore, discard } = useSiteRecovery(work, me.id)
  if (!copy) return null
  const labelOf = (source: string): string => {
    const members = Object.keys(copy.sources[source]?.values ?? {})
    const parts = website.parts.filter((part) => keyOfPart(part) === source)
    const part = parts.find((one) => !isMenuPart(one) && one.source.fields.some((key) => members.includes(key)))
    const surface = design.surfaces.find(({ id }) => designKey(id) === source)
    return (part ?? parts[0] ?? surface)?.label ?? source
  }
  const names = new Intl.ListFormat('en').format(restorable(work.drafts, copy).map(labelOf))
  return (
    <div className="px-4 py-3">
      <Notice
        tone="warning"
        title="You have unsaved changes from earlier"
        action={
          <span className="flex shrink-0 gap-2">
            <Button size="sm" variant="primary" onClick={() => restore(labelOf)}>
              Restore
            </Button>
            <Button size="sm" onClick={discard}>
              Discard
            </Button>
          </span>
        }
      >
        {names} · from <RelativeTime at={new Date(copy.at)} />, stored in this browser.
      </Notice>
    </div>
  )
}
