import {
  type BubbleOptions,
  type WidgetLook,
  widgetCss,
  widgetParts,
  widgetWords,
} from '@stoa/cms-model/visitor-widget/widget.ts'
import { useDeferredValue, useEffect, useRef } from 'react'

type PreviewProps = { look: Required<WidgetLook> }

/** The bubble itself, with sample answers. Its box holds it: what is fixed stays in what is transformed. */
export const BubblePreview = ({ look }: PreviewProps) => {
  const host = useRef<HTMLDivElement>(null)
  const { label, greeting, accent, position } = useDeferredValue(look)
  useEffect(() => {
    const words = widgetWords.en
    if (!host.current || !words) return
    const shown = { label, greeting, accent, position }
    const options: BubbleOptions = { css: widgetCss, words, look: shown, language: 'en', ask: sampleAnswer }
    const bubble = widgetParts.createBubble(widgetParts, host.current, options)
    bubble.open()
    return bubble.end
  }, [label, greeting, accent, position])
  return (
    <section
      aria-label="Preview"
      className="relative h-140 translate-0 transform-gpu overflow-hidden rounded-lg border border-line bg-sunken"
    >
      <div aria-hidden className="flex flex-col gap-3 p-6">
        <span className="h-5 w-2/3 rounded-sm bg-pressed" />
        <span className="h-3 w-full rounded-sm bg-pressed" />
        <span className="h-3 w-5/6 rounded-sm bg-pressed" />
      </div>
      <div ref={host} />
    </section>
  )
}

const sampleAnswer: BubbleOptions['ask'] = async () => ({
  answer: {
    answer: 'This is a sample. Visitors get an answer from your published content, with links to it. [1]',
    sources: [
      { id: '', type: '', slug: '', title: 'A published entry', url: null, excerpt: 'The passage it is from.' },
    ],
    found: true,
  },
})
