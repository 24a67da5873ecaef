import { SkeletonText } from '@stoa/ui/skeleton.tsx'
import { lazy, Suspense } from 'react'

const SmallEditor = lazy(async () => ({ default: (await import('./small-editor.tsx')).SmallEditor }))
const SmallView = lazy(async () => ({ default: (await import('./small-editor.tsx')).SmallView }))

type LazyEditorProps = { label: string; html: string; onHtml: (html: string) => void }

/** The small editor; its code comes when it is first wanted. */
export const LazyEditor = (props: LazyEditorProps) => (
  <Suspense
    fallback={
      <div className="control p-3">
        <SkeletonText lines={3} label="Loading the editor" />
      </div>
    }
  >
    <SmallEditor {...props} />
  </Suspense>
)

/** Formatted text as others will see it. */
export const LazyView = ({ html }: { html: string }) => (
  <Suspense fallback={<SkeletonText lines={2} />}>
    <SmallView html={html} />
  </Suspense>
)
