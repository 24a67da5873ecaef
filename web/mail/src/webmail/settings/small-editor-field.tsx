import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Suspense } from 'react'

const SmallEditor = lazyPart(() => import('./small-editor.tsx'), 'SmallEditor')
const SmallView = lazyPart(() => import('./small-editor.tsx'), 'SmallView')

type LazyEditorProps = { label: string; html: string; onHtml: (html: string) => void }

/** The small editor; its code comes when it is first wanted. */
export const LazyEditor = (props: LazyEditorProps) => (
  <Suspense
    fallback={
      <div className="control p-3">
        <SkeletonText lines={3} label="Loading editor" />
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
