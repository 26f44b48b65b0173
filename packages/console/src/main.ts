import { createGameClient } from '@orrery/client'
import { h, render } from 'preact'
import { App } from './desk/app.tsx'
import { createOperator } from './operator/operator.ts'

const root = document.querySelector('#console')
if (!root) throw new Error('The page has no place for the console')
const operator = createOperator(createGameClient({ url: location.origin }), sessionStorage)
render(h(App, { operator }), root)
