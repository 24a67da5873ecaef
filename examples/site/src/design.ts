import type { CmsOptions } from '@stoa/cms-host'

const SERIF = '"EB Garamond", Georgia, serif'
const SANS = '"Instrument Sans", system-ui, sans-serif'

const fonts = [
  { value: SERIF, label: 'Garamond' },
  { value: SANS, label: 'Instrument Sans' },
  { value: 'Georgia, serif', label: 'Georgia' },
]

/** The design properties that people can change. The defaults equal those of `public/styles`; a test compares them. */
export const design = {
  surfaces: [
    {
      id: 'colours',
      label: 'Colors',
      properties: [
        { key: 'accent', label: 'Accent', type: 'color', css: '--accent', default: '#a33a2a' },
        { key: 'background', label: 'Background', type: 'color', css: '--background', default: '#f5f6f2' },
        { key: 'ink', label: 'Text', type: 'color', css: '--ink', default: '#13262e' },
        { key: 'band', label: 'Colored bands', type: 'color', css: '--band', default: '#f3d693' },
        { key: 'night', label: 'Background in dark mode', type: 'color', css: '--night', default: '#0f1c22' },
      ],
    },
    {
      id: 'type',
      label: 'Type',
      properties: [
        {
          key: 'headings',
          label: 'Font of headings',
          type: 'font',
          css: '--heading-font',
          default: SERIF,
          options: fonts,
        },
        {
          key: 'headingWeight',
          label: 'Weight of headings',
          type: 'number',
          css: '--heading-weight',
          default: 400,
          min: 400,
          max: 700,
        },
        { key: 'body', label: 'Font of texts', type: 'font', css: '--body-font', default: SERIF, options: fonts },
        {
          key: 'size',
          label: 'Size of texts',
          type: 'length',
          css: '--body-size',
          default: '1.25rem',
          units: ['rem'],
          min: 1,
          max: 1.6,
        },
      ],
    },
    {
      id: 'shape',
      label: 'Shape and space',
      properties: [
        {
          key: 'radius',
          label: 'Round corners',
          type: 'length',
          css: '--radius',
          default: '3px',
          units: ['px'],
          min: 0,
          max: 32,
        },
        {
          key: 'width',
          label: 'Width of pages',
          type: 'length',
          css: '--page-width',
          default: '76rem',
          units: ['rem'],
          min: 56,
          max: 96,
        },
        {
          key: 'space',
          label: 'Space between sections',
          type: 'length',
          css: '--section-space',
          default: '7rem',
          units: ['rem'],
          min: 2,
          max: 12,
        },
      ],
    },
    {
      id: 'hero',
      label: 'Welcome',
      selector: '.hero',
      properties: [
        { key: 'background', label: 'Background', type: 'color', css: '--hero-background', default: '#1c313c' },
        { key: 'text', label: 'Text', type: 'color', css: '--hero-text', default: '#faf3e1' },
        { key: 'pattern', label: 'Picture behind the text', type: 'media', css: '--hero-pattern', default: null },
        {
          key: 'fade',
          label: 'Edge of the picture',
          type: 'select',
          css: '--hero-fade',
          default: '45%',
          options: [
            { value: '45%', label: 'Soft' },
            { value: '0%', label: 'Sharp' },
          ],
        },
      ],
    },
    {
      id: 'footer',
      label: 'Footer',
      selector: '.site-footer',
      properties: [
        { key: 'background', label: 'Background', type: 'color', css: '--footer-background', default: '#13262e' },
        { key: 'text', label: 'Text', type: 'color', css: '--footer-text', default: '#e9e2cf' },
      ],
    },
  ],
} as const satisfies CmsOptions['design']
