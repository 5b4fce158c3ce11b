import { Body, Controller, Get, Module, Param, UseGuards } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsString, MaxLength } from 'class-validator';
import type * as http from '../../../../contracts/http/withdrawals.js';
import { MAX_PAYOUTS_PER_BATCH, PAYOUT_CODE_MAX_LENGTH } from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { adminOr, SteppedUp } from '../../http/guards.js';
import { Metadata, PostCommand } from '../../http/session.js';
import { optionalText, refuseAs, trimmedText } from '../../http/validation.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PayoutBatches } from './payout-batches.js';
import { WithdrawalsModule } from './withdrawals.controller.js';

const invalidChoice = refuseAs('withdrawals-required');

export class OrderPayoutsDto implements http.OrderPayoutsRequest {
  @ArrayUnique(invalidChoice)
  @MaxLength(64, { ...invalidChoice, each: true })
  @IsString({ ...invalidChoice, each: true })
  @ArrayMaxSize(MAX_PAYOUTS_PER_BATCH, invalidChoice)
  @ArrayMinSize(1, invalidChoice)
  @IsArray(invalidChoice)
  withdrawalIds!: string[];

  @optionalText(PAYOUT_CODE_MAX_LENGTH, 'payout-code-required', 'The code must be text') code?: string;
}

export class VerifyPayoutsDto implements http.VerifyPayoutsRequest {
  @trimmedText('payout-code-required', PAYOUT_CODE_MAX_LENGTH) code!: string;
}

@Controller('api/admin/payouts')
@UseGuards(adminOr('money'))
export class PayoutsController {
  constructor(private readonly batches: PayoutBatches) {}

  /** Whether the gateway makes payouts here, and which of its batches wait for their code. */
  @Get()
  read(): Promise<http.PayoutsByGateway> {
    return this.batches.read();
  }

  /** Orders the payouts of withdrawals from the gateway, in one batch, and enters its code. */
  @PostCommand('')
  @UseGuards(SteppedUp)
  order(@Metadata() { actor }: CommandMetadata, @Body() { withdrawalIds, code = '' }: OrderPayoutsDto) {
    return this.batches.order(withdrawalIds, code, actor);
  }

  /** Enters the code of a batch that waits for it. */
  @PostCommand(':batchId/verify')
  @UseGuards(SteppedUp)
  verify(@Metadata() { actor }: CommandMetadata, @Param('batchId') id: string, @Body() { code }: VerifyPayoutsDto) {
    return this.batches.verify(id, code, actor);
  }
}

@Module({
  imports: [PaymentsModule, WithdrawalsModule],
  controllers: [PayoutsController],
  providers: [PayoutBatches],
})
export class PayoutsModule {}
