/** The clock of the game, registration and talk. */
import {
  type AdaptiveTickRateResponse,
  type AdminStatusResponse,
  type ClockRequest,
  type ClockResponse,
  type ClockStoppedResponse,
  type EnabledRequest,
  type OpenedResponse,
  type OpenRequest,
  type OpenResponse,
  type PaceVoteRequest,
  type PaceVoteResponse,
  type PauseResponse,
  type ResumeResponse,
  type TalkResponse,
  type TickRateRequest,
  type TickRateResponse,
  type TimeScaleRequest,
  type TimeScaleResponse,
  type TimeSyncResponse,
  adaptiveTickRateResponse,
  adminStatusResponse,
  clockResponse,
  clockStoppedResponse,
  openedResponse,
  openResponse,
  paceVoteResponse,
  pauseResponse,
  resumeResponse,
  talkResponse,
  tickRateResponse,
  timeScaleResponse,
  timeSyncResponse,
} from '../bodies/game-control.ts'
import { type ResetResponse, resetResponse } from '../bodies/snapshots.ts'
import type { Route } from './route.ts'

export const readGameStatus: Route<AdminStatusResponse> = {
  request: 'GET /api/admin/status',
  access: 'admin',
  status: 200,
  answer: adminStatusResponse,
}

export const pause: Route<PauseResponse> = {
  request: 'POST /api/admin/game/pause',
  access: 'admin',
  status: 200,
  answer: pauseResponse,
}

export const resume: Route<ResumeResponse> = {
  request: 'POST /api/admin/game/resume',
  access: 'admin',
  status: 200,
  answer: resumeResponse,
}

export const changeTickRate: Route<TickRateResponse, { body: TickRateRequest }> = {
  request: 'PUT /api/admin/game/tick-rate',
  access: 'admin',
  status: 200,
  answer: tickRateResponse,
}

export const changeTimeScale: Route<TimeScaleResponse, { body: TimeScaleRequest }> = {
  request: 'PUT /api/admin/game/time-scale',
  access: 'admin',
  status: 200,
  answer: timeScaleResponse,
}

export const moveClock: Route<ClockResponse, { body: ClockRequest }> = {
  request: 'PUT /api/admin/game/clock',
  access: 'admin',
  status: 200,
  answer: clockResponse,
}

export const stopClock: Route<ClockStoppedResponse> = {
  request: 'DELETE /api/admin/game/clock',
  access: 'admin',
  status: 200,
  answer: clockStoppedResponse,
}

export const switchTimeSync: Route<TimeSyncResponse, { body: EnabledRequest }> = {
  request: 'POST /api/admin/game/time-sync',
  access: 'admin',
  status: 200,
  answer: timeSyncResponse,
}

export const switchAdaptiveTickRate: Route<AdaptiveTickRateResponse, { body: EnabledRequest }> = {
  request: 'POST /api/admin/game/adaptive-tick-rate',
  access: 'admin',
  status: 200,
  answer: adaptiveTickRateResponse,
}

export const readRegistrations: Route<OpenResponse> = {
  request: 'GET /api/admin/registrations',
  access: 'admin',
  status: 200,
  answer: openResponse,
}

export const changeRegistrations: Route<OpenedResponse, { body: OpenRequest }> = {
  request: 'POST /api/admin/registrations',
  access: 'admin',
  status: 200,
  answer: openedResponse,
}

export const openRegistrations: Route<OpenedResponse> = {
  request: 'POST /api/admin/registrations/enable',
  access: 'admin',
  status: 200,
  answer: openedResponse,
}

export const closeRegistrations: Route<OpenedResponse> = {
  request: 'POST /api/admin/registrations/disable',
  access: 'admin',
  status: 200,
  answer: openedResponse,
}

export const switchTalk: Route<TalkResponse, { body: EnabledRequest }> = {
  request: 'POST /api/admin/talk',
  access: 'admin',
  status: 200,
  answer: talkResponse,
}

export const readPaceVote: Route<PaceVoteResponse> = {
  request: 'GET /api/admin/game/pace-vote',
  access: 'admin',
  status: 200,
  answer: paceVoteResponse,
}

export const allowPaceVote: Route<PaceVoteResponse, { body: PaceVoteRequest }> = {
  request: 'PUT /api/admin/game/pace-vote',
  access: 'admin',
  status: 200,
  answer: paceVoteResponse,
}

export const endPaceVote: Route<PaceVoteResponse> = {
  request: 'DELETE /api/admin/game/pace-vote',
  access: 'admin',
  status: 200,
  answer: paceVoteResponse,
}

export const resetGame: Route<ResetResponse> = {
  request: 'POST /api/admin/game/reset',
  access: 'admin',
  status: 200,
  answer: resetResponse,
}
