/** Past moments that are flown again: for admins, and for pilots what the own ship could see. */
import {
  type PastRequest,
  type PastResponse,
  type PastSkyQuery,
  type PastSkyResponse,
  pastResponse,
  pastSkyResponse,
} from '../bodies/past.ts'
import { type Route, nothing } from './route.ts'

export const openPast: Route<PastResponse, { body: PastRequest }> = {
  request: 'POST /api/admin/past',
  access: 'admin',
  status: 201,
  answer: pastResponse,
}

export const readPast: Route<PastResponse, { path: 'past_id' }> = {
  request: 'GET /api/admin/past/:past_id',
  access: 'admin',
  status: 200,
  answer: pastResponse,
}

export const readPastSky: Route<PastSkyResponse, { path: 'past_id'; query: PastSkyQuery }> = {
  request: 'GET /api/admin/past/:past_id/sky',
  access: 'admin',
  status: 200,
  answer: pastSkyResponse,
}

export const endPast: Route<void, { path: 'past_id' }> = {
  request: 'DELETE /api/admin/past/:past_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}

export const openOwnPast: Route<PastResponse, { body: PastRequest }> = {
  request: 'POST /api/player/past',
  access: 'player',
  status: 201,
  answer: pastResponse,
}

export const readOwnPast: Route<PastResponse, { path: 'past_id' }> = {
  request: 'GET /api/player/past/:past_id',
  access: 'player',
  status: 200,
  answer: pastResponse,
}

export const readOwnPastSky: Route<PastSkyResponse, { path: 'past_id'; query: PastSkyQuery }> = {
  request: 'GET /api/player/past/:past_id/sky',
  access: 'player',
  status: 200,
  answer: pastSkyResponse,
}

export const endOwnPast: Route<void, { path: 'past_id' }> = {
  request: 'DELETE /api/player/past/:past_id',
  access: 'player',
  status: 204,
  answer: nothing,
}
